# asset_list: Durations past all.
# expected: anything
act = document(lambda true: '{"ASSETS": [{"URI": "/a.m3u8", "DURATION": 1e308}, {"URI": "/a.m3u8", "DURATION": -1}]}')
