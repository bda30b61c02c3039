package import Values

/// Settings shared by all transfers of one transport; fixed while it lives.
package struct TransportConfiguration: Sendable {
    package var httpVersion = HTTPVersion.http1
    package var carriers = CarrierChoice.auto
    package var verifyTLS = true
    // PEM files, see `TLSContext`.
    package var caFile: String?
    package var clientCertificateFile: String?
    package var clientKeyFile: String?
    /// From the start of a hop until its request can be sent: name look-up, TCP and TLS.
    package var connectTimeout = Duration.seconds(10)
    /// From sending until the answer's first byte, for each hop.
    package var firstByteTimeout = Duration.seconds(10)
    /// Redirects included.
    package var totalTimeout = Duration.seconds(30)
    /// Limit of the decoded body.
    package var maximumBodyBytes = 64 << 20
    package var bodyBudget = BodyBudget(bytes: .max)
    /// Sum of one answer's header lines.
    package var maximumHeaderBytes = 64 << 10
    /// Offers gzip; bodies arrive decoded.
    package var acceptEncoding = true
    package var userAgent = "podswarm"
    /// Numeric; empty lets the kernel choose.
    package var sourceAddresses: [String] = []
    package var authorisedHosts = AuthorisedHosts()
    /// In a row; 0 hands redirects back as answers.
    package var maximumRedirects = 5
    /// Limit of the own exchange's connections being opened at once; further ones queue.
    package var maximumHandshakes = 256
    /// nil leaves closing to the server.
    package var connectionLife: ConnectionLife?
    package var names = NameTable.shared()
    /// Chooses, with an owner's number, its order of a name's addresses.
    package var seed: UInt64 = 0
    /// `HOST:PORT:ADDRESS[,ADDRESS]...` each, as in `CURLOPT_RESOLVE`.
    package var resolve: [String] = []
    /// `HOST1:PORT1:HOST2:PORT2` each, as in `CURLOPT_CONNECT_TO`.
    package var connectTo: [String] = []
    /// Proxy that requests go through, over libcurl whatever `carriers` says; nil for none.
    package var proxy: ProxyAddress?
    /// Hosts that are asked without the proxy, in the forms of `CURLOPT_NOPROXY`.
    package var noProxy: [String] = []

    package init() {}
}

/// Limits after which the client closes a connection; over libcurl requests are not counted.
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
