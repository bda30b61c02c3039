package import NIOCore
import NIOHTTP1

/// Address, protocols and limits of a listener.
package struct ListenerSettings: Sendable {
    /// Limits of request heads; longer ones are answered 400.
    package struct HeadLimits: Sendable {
        /// Bytes of one field; `allBytes` of all fields.
        package var fieldBytes = 80 * 1024
        package var allBytes = 80 * 1024
        package var fieldCount = 1_000

        package init() {}

        var forDecoder: NIOHTTPDecoderLimitConfiguration {
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = fieldBytes
            limits.maxHeaderListSize = allBytes
            limits.maxHeaderFieldCount = fieldCount
            return limits
        }
    }

    package let host: String
    /// 0 selects a free port.
    package let port: Int
    /// Connections that the system queues before they are accepted, at most `net.core.somaxconn`.
    package var backlog: Int32 = 256
    /// Maximum of open connections; nil for no limit but that of descriptors.
    ///
    /// At the limit, a new connection replaces the one that has rested longest, in the middle of a head or without a request.
    /// If all are being answered, new ones wait in the backlog.
    package var connectionLimit: Int?
    /// Limit of reading the head of an HTTP/1.1 request, from its first byte or from the connection's beginning; nil for
    /// `idleLimit`.
    package var headLimit: TimeAmount?
    /// Limit of rest of an HTTP/1.1 connection, between requests or in the middle of one.
    package var idleLimit = TimeAmount.seconds(75)
    /// Time for clients to read their last answers after `stop`.
    package var grace = TimeAmount.milliseconds(500)
    package var headLimits = HeadLimits()
    /// Bytes of the longest request body that is read.
    package var bodyLimit = 0
    /// Whether HTTP/1.1 answers are framed by their length or in chunks whatever their heads say; otherwise their heads decide.
    package var framesAnswers = true
    /// With TLS, clients may negotiate HTTP/2; without, they must use it from the first byte on.
    package var offersHTTP2 = false
    package var tls: ServerTLSContext?

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }
}
