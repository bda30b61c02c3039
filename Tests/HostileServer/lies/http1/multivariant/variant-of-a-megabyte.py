# multivariant: A variant's address of three megabytes.
# expected: anything
act = body(lambda: START + "#EXT-X-STREAM-INF:BANDWIDTH=1\n" + "a" * 3_000_000 + "\n")
