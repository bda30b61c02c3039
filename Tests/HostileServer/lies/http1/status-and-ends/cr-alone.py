# pod_manifest: Lines that end in CR alone.
# expected: connection_reset, truncated, protocol_error
act = raw(lambda exchange: exchange.head("Content-Length: 4").replace("\r\n", "\r").encode() + b"four")
