# asset_list: No JSON.
# expected: anything
act = document(lambda true: "#EXTM3U\n")
