# pod_manifest: HTTP/1.1 where frames should be.
# expected: protocol_error, connection_reset, truncated, other_failure, total_timeout, first_byte_timeout
act = frames(lambda exchange: [b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n#EXTM3U"])
