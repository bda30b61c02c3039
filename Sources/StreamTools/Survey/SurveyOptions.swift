/// What a survey is asked to look at, and where it may ask.
package struct SurveyOptions: Sendable {
    /// Of a multivariant or media playlist, spelled as ``StreamAddress`` has it.
    package var address: StreamAddress
    /// Hosts that may be asked beside that of the address: `host`, `host:port` or `*.suffix`.
    package var allowedHosts: [String]
    /// Sent to the address's own server, and to no other.
    package var headers: [StreamHeader]
    /// How long to follow the media playlist at most; nil: three target durations, and at most a minute.
    package var watch: Duration?
    /// PEM file of authorities to trust; nil for the system's.
    package var caFile: String?
    /// Whether certificates are verified.
    package var verifiesTLS: Bool
    /// For an answer's first byte; a whole answer may take three times as long.
    package var timeout: Duration

    /// Makes options of what was given on the command line.
    package init(
        address: StreamAddress,
        allowedHosts: [String] = [],
        headers: [StreamHeader] = [],
        watch: Duration? = nil,
        caFile: String? = nil,
        verifiesTLS: Bool = true,
        timeout: Duration = .seconds(10)
    ) {
        self.address = address
        self.allowedHosts = allowedHosts
        self.headers = headers
        self.watch = watch
        self.caFile = caFile
        self.verifiesTLS = verifiesTLS
        self.timeout = timeout
    }
}
