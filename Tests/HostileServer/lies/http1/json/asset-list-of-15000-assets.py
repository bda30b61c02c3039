# asset_list: As many assets as fit.
# expected: anything
act = document(lambda true: assets(15_000))
