# asset_list: One address of a megabyte.
# expected: anything
act = document(lambda true: assets(1, "/" + "a" * 900_000))
