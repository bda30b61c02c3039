# asset_list: No assets.
# expected: anything
act = document(lambda true: '{"ASSETS": []}')
