package import NIOCore
import NIOHTTP1
package import ServerTLS

/// Where to listen, what to speak there, and how much to put up with.
package struct ListenerSettings: Sendable {
    /// The longest heads that are read; longer ones are answered 400.
    package struct HeadLimits: Sendable {
        /// Bytes of one field, and of all of them.
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

    /// A name or an address of this machine.
    package let host: String
    /// 0 takes a free port.
    package let port: Int
    /// Connections that the system keeps until they are accepted; it has a limit of its own (`net.core.somaxconn`).
    package var backlog: Int32 = 256
    /// Connections at a time; nil for as many as there are descriptors.
    ///
    /// Who comes when there are so many takes the place of the one that has rested for the longest time, in the middle of
    /// a head or without a request. Where all are being answered, others wait in the backlog.
    package var connectionLimit: Int?
    /// How long the head of an HTTP/1.1 request may take from its first byte, or from the beginning of the connection;
    /// nil for as long as a connection may rest.
    package var headLimit: TimeAmount?
    /// How long an HTTP/1.1 connection may rest between requests, or in the middle of one.
    package var idleLimit = TimeAmount.seconds(75)
    /// What clients are given to take their last answers once the listener is stopped.
    package var grace = TimeAmount.milliseconds(500)
    package var headLimits = HeadLimits()
    /// The longest body of a request, in bytes, that is kept to be read.
    package var bodyLimit = 0
    /// Whether answers over HTTP/1.1 are framed by their length or in chunks, whatever their heads say; else by their heads.
    package var framesAnswers = true
    /// With TLS, a client may choose HTTP/2; without, it has to speak it from the first byte on.
    package var offersHTTP2 = false
    /// Nil for none.
    package var tls: ServerTLSContext?

    /// HTTP/1.1 without TLS, until more is asked for.
    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }
}
