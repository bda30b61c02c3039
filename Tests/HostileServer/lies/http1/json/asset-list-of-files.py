# asset_list: Assets in files of the machine.
# expected: anything
act = document(lambda true: assets(10, "file:///etc/passwd"))
