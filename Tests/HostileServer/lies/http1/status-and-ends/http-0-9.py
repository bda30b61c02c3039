# pod_manifest: A body without a head.
# expected: protocol_error
act = raw(lambda exchange: exchange.body())
