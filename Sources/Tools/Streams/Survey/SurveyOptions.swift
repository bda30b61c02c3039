package struct SurveyOptions: Sendable {
    /// URL of a multivariant or media playlist.
    package var address: StreamAddress
    /// Authorised hosts besides that of the address: `host`, `host:port` or `*.suffix`.
    package var allowedHosts: [String] = []
    /// Sent to the address's own server only.
    package var headers: [StreamHeader] = []
    /// Limit on the time to follow the media playlist; nil: three target durations, at most a minute.
    package var watch: Duration?
    /// PEM file of trusted authorities; nil: the system's.
    package var caFile: String?
    package var verifiesTLS = true
    /// Limit for the first byte of an answer; a whole answer may take three times as long.
    package var timeout = Duration.seconds(10)

    package init(_ address: StreamAddress) { self.address = address }
}
