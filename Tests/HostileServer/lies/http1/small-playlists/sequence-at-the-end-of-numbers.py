# playlist: A media sequence at the end of 64 bits.
# expected: anything
act = body(lambda: "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:18446744073709551615\n" + "#EXTINF:1,\na\n" * 9)
