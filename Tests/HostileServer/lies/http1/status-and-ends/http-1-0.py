# pod_manifest: An answer of HTTP/1.0 that ends with its connection.
# expected: success
act = raw(lambda exchange: exchange.head(version="HTTP/1.0").encode() + exchange.body())
