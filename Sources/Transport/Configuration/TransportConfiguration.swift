package import BodyCoding
package import Destinations
package import Sockets

/// What all transfers of one transport have in common; fixed while it lives.
package struct TransportConfiguration: Sendable {
    /// The HTTP version asked for.
    package enum HTTPVersion: String, CaseIterable, Sendable {
        /// HTTP/1.1 always.
        case http1
        /// HTTP/2 by ALPN over TLS (HTTP/1.1 where the server has no other) and by prior knowledge without TLS.
        case http2
    }

    package var httpVersion = HTTPVersion.http1
    /// Which carriers may be used; a result says which carried how many.
    package var carriers = CarrierChoice.auto
    /// Whether the peer's certificate and name are verified; a run that says false says so in its result.
    package var verifyTLS = true
    /// PEM file of trusted authorities; nil means the system's bundle.
    package var caFile: String?
    /// PEM file of the client's certificate chain.
    package var clientCertificateFile: String?
    /// PEM file of the client's private key.
    package var clientKeyFile: String?
    /// From the start of a hop until its request can be sent: name look-up, TCP and TLS.
    package var connectTimeout = Duration.seconds(10)
    /// From the moment of sending until the first byte of the answer, for each hop.
    package var firstByteTimeout = Duration.seconds(10)
    /// From the start of the transfer until its end, redirects included.
    package var totalTimeout = Duration.seconds(30)
    /// Greatest decoded body, in bytes.
    package var maximumBodyBytes = 64 << 20
    /// What the bodies of all transports that share it may take together.
    package var bodyBudget = BodyBudget(bytes: .max)
    /// Greatest sum of the header lines of one answer, in bytes.
    package var maximumHeaderBytes = 64 << 10
    /// Whether gzip is offered; bodies arrive decoded.
    package var acceptEncoding = true
    package var userAgent = "podswarm"
    /// Numeric local addresses to connect from; empty lets the kernel choose.
    package var sourceAddresses: [String] = []
    /// Where load may go.
    package var authorisedHosts = AuthorisedHosts()
    /// Redirects followed in a row before the transfer fails; 0 hands redirects back as answers.
    package var maximumRedirects = 5
    /// Connections of the own exchange that may be in the making at once; more wait their turn, first come first served.
    package var maximumHandshakes = 256
    /// Fixed look-ups, `host:port:address` each, as of `CURLOPT_RESOLVE`.
    package var resolveOverrides: [String] = []

    package init() {}
}

extension TLSContext {
    /// What a configuration says of trust; see the other initializer.
    package convenience init(_ configuration: TransportConfiguration) throws(TransportError) {
        try self.init(
            verifies: configuration.verifyTLS,
            authorities: configuration.caFile,
            certificate: configuration.clientCertificateFile,
            key: configuration.clientKeyFile,
            offersHTTP2: configuration.httpVersion == .http2
        )
    }
}
