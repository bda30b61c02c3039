# asset_list: An asset list of fifty megabytes.
# expected: body_too_large
act = document(lambda true: assets(1_000_000))
