# pod_manifest: Encoded line ends in the path.
# expected: success
act = redirect(lambda exchange: f"http://127.0.0.1:{exchange.port}/{exchange.channel.name}x/pod.m3u8?%0d%0aX-A:%20b")
