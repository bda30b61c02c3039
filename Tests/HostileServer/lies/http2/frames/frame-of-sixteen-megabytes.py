# pod_manifest: A frame past the largest that was agreed on.
# expected: anything
act = frames(lambda exchange: [exchange.head(), frame(DATA, 0, exchange.stream, b"x" * 1_000_000, length=0xFFFFFF)])
