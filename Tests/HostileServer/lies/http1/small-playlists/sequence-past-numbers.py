# playlist: A media sequence past 64 bits.
# expected: anything
act = body(lambda: "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:18446744073709551616\n" + "#EXTINF:1,\na\n" * 9)
