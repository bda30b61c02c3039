# playlist: Byte ranges whose sums no number holds.
# expected: anything
act = body(lambda: live("#EXT-X-BYTERANGE:18446744073709551615@18446744073709551615\n#EXTINF:1,\na\n" * 100))
