# playlist: Bytes that are no UTF-8.
# expected: anything
act = body(lambda: live("#EXTINF:1,\n\xe4\xff.ts\n").encode("latin-1"))
