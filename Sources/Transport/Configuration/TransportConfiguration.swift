import Values

/// Settings shared by all transfers of one transport; fixed while it lives.
package struct TransportConfiguration: Sendable {
    package enum HTTPVersion: String, CaseIterable, Sendable {
        case http1
        /// HTTP/2 by ALPN over TLS (HTTP/1.1 where the server offers no other) and by prior knowledge without TLS.
        case http2
        /// HTTP/2 by ALPN over TLS as above, and HTTP/1.1 without TLS.
        case http2OrHTTP1
    }

    package var httpVersion = HTTPVersion.http1
    package var carriers = CarrierChoice.auto
    /// Whether the peer's certificate and name are verified; a result says where this is false.
    package var verifyTLS = true
    /// PEM file of trusted authorities; nil means the system's bundle.
    package var caFile: String?
    /// PEM file.
    package var clientCertificateFile: String?
    /// PEM file.
    package var clientKeyFile: String?
    /// From the start of a hop until its request can be sent: name look-up, TCP and TLS.
    package var connectTimeout = Duration.seconds(10)
    /// From sending until the first byte of the answer, for each hop.
    package var firstByteTimeout = Duration.seconds(10)
    /// From the start of the transfer until its end, redirects included.
    package var totalTimeout = Duration.seconds(30)
    /// Limit of the decoded body.
    package var maximumBodyBytes = 64 << 20
    /// Memory limit for the bodies of all transports that share the budget.
    package var bodyBudget = BodyBudget(bytes: .max)
    /// Sum of the header lines of one answer.
    package var maximumHeaderBytes = 64 << 10
    /// Whether gzip is offered; bodies arrive decoded.
    package var acceptEncoding = true
    package var userAgent = "podswarm"
    /// Numeric local addresses to connect from; empty lets the kernel choose.
    package var sourceAddresses: [String] = []
    package var authorisedHosts = AuthorisedHosts()
    /// Redirects followed in a row before the transfer fails; 0 hands redirects back as answers.
    package var maximumRedirects = 5
    /// Limit of connections of the own exchange being opened at once; further ones queue in order of arrival.
    package var maximumHandshakes = 256
    /// How long the client keeps a connection; nil: until the server closes it.
    package var connectionLife: ConnectionLife?
    /// Known names, and the servers that are asked for others.
    package var names = NameTable.shared()
    /// Chooses, with an owner's number, the order in which it tries a name's addresses.
    package var seed: UInt64 = 0
    /// Fixed look-ups, `HOST:PORT:ADDRESS[,ADDRESS]...` each, in the form of `CURLOPT_RESOLVE`.
    package var resolve: [String] = []
    /// Other places to connect to, `HOST1:PORT1:HOST2:PORT2` each, in the form of `CURLOPT_CONNECT_TO`.
    package var connectTo: [String] = []

    package init() {}
}

/// Limits after which the client closes a connection, once its answer is there; over libcurl requests are not counted.
package struct ConnectionLife: Equatable, Sendable {
    /// In nanoseconds.
    let longest: Int64?
    let mostRequests: UInt16?

    /// nil without a limit.
    package init?(longest: Duration?, mostRequests: Int?) {
        guard longest != nil || mostRequests != nil else { return nil }
        self.longest = longest?.nanosecondsHeld
        self.mostRequests = mostRequests.map { UInt16(clamping: $0) }
    }

    func isOver(since opened: Instant, _ requests: UInt16, at now: Instant) -> Bool {
        if let mostRequests, requests >= mostRequests { return true }
        return longest.map { now &- opened >= $0 } ?? false
    }
}

extension TLSContext {
    package convenience init(_ configuration: TransportConfiguration) throws(TransportError) {
        try self.init(
            verifies: configuration.verifyTLS,
            authorities: configuration.caFile,
            certificate: configuration.clientCertificateFile,
            key: configuration.clientKeyFile,
            offersHTTP2: configuration.httpVersion != .http1
        )
    }
}

package enum CarrierChoice: String, CaseIterable, Sendable {
    /// podswarm's own exchange for HTTP/1.1 and HTTP/2, libcurl for everything else.
    case auto
    case curl
}
