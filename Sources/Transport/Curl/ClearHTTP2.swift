/// How one hop gets HTTP/2 without TLS out of libcurl 7.88.
///
/// With prior knowledge, that version switches a connection to HTTP/2 at every request. A reused connection then fails
/// (`CURLE_HTTP2`). With the version left to TLS it reuses such a connection well, but would open a new one for
/// HTTP/1.1. So a hop first asks for reuse and, where libcurl wants to connect instead, asks again with prior
/// knowledge, or the other way round when a connection has come up meanwhile. Nothing is sent by the try that fails.
struct ClearHTTP2 {
    enum Attempt {
        case reuse
        case connect
    }

    /// Tries after which the hop fails, should connections come and go under it.
    private static let limit = 8

    /// nil when the hop needs none of this: HTTP/1.1, or TLS.
    private(set) var attempt: Attempt?
    private var hasConnected = false
    private var mustChange = false
    private var tries = 0

    /// Begins a hop.
    mutating func begin(isNeeded: Bool) {
        attempt = isNeeded ? .reuse : nil
        hasConnected = false
        mustChange = false
        tries = 0
    }

    /// libcurl wants to open a connection.
    mutating func mayConnect() -> Bool {
        guard attempt == .reuse else {
            hasConnected = true
            return true
        }
        mustChange = true
        return false
    }

    /// libcurl is about to send the request.
    mutating func mayUseConnection() -> Bool {
        guard attempt == .connect, !hasConnected else { return true }
        mustChange = true
        return false
    }

    /// The attempt to make now that one has ended, nil when its end stands.
    mutating func next() -> Attempt? {
        guard mustChange, tries < Self.limit else { return nil }
        tries += 1
        mustChange = false
        hasConnected = false
        attempt = attempt == .reuse ? .connect : .reuse
        return attempt
    }
}
