# pod_manifest: DATA past any window.
# expected: protocol_error, connection_reset, truncated, other_failure, total_timeout, first_byte_timeout, body_too_large
act = frames(lambda exchange: [exchange.head(), *[exchange.data(b"#" * 16_384)] * 4_000])
