import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP2

/// HTTP/2 or HTTP/1.1, as the client chose in the TLS handshake (ALPN, RFC 7301).
struct NegotiatedConnection: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        let negotiated: EventLoopFuture<NIONegotiatedHTTPVersion<HTTP1Channel.Value, HTTP2Connection.Value>>
    }

    let http1: HTTP1Channel
    let http2: HTTP2Connection

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.configureHTTP2AsyncSecureUpgrade(
            http1ConnectionInitializer: { http1.setup(channel: $0, logger: logger) },
            http2ConnectionInitializer: { http2.setup(channel: $0, logger: logger) }
        ).map { Value(channel: channel, negotiated: $0) }
    }

    func handle(value: Value, logger: Logger) async {
        // Fails where the connection closed before it was known what it speaks.
        switch try? await value.negotiated.get() {
        case .http1_1(let connection): await http1.handle(value: connection, logger: logger)
        case .http2(let connection): await http2.handle(value: connection, logger: logger)
        case nil: break
        }
    }
}
