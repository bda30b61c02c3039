# asset_list: Creative signalling of a megabyte.
# expected: anything
act = document(lambda true: assets(1, more=', "X-AD-CREATIVE-SIGNALING": {"version": 2, "type": "slot", "payload": ['
    + '{"type": "linear", "start": 0, "duration": 1},' * 15_000 + "{}]}"))
