# asset_list: A thousand assets.
# expected: anything
act = document(lambda true: assets(1_000))
