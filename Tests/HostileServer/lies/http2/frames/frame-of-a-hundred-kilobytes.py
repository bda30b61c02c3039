# pod_manifest: A frame of 100,000 bytes.
# expected: anything
act = frames(lambda exchange: [exchange.head(), exchange.data(b"x" * 100_000)])
