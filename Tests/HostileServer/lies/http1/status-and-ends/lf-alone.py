# pod_manifest: Lines that end in LF alone.
# expected: anything
act = raw(lambda exchange: exchange.head("Content-Length: 4").replace("\r\n", "\n").encode() + b"four")
