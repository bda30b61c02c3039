/// Chooses, hop by hop, how libcurl 7.88 gets HTTP/2 without TLS.
///
/// With prior knowledge, that version switches a connection to HTTP/2 at every request, and a reused connection then fails
/// (`CURLE_HTTP2`). With the version left to TLS it reuses such a connection well, but would open a new one for HTTP/1.1. A hop
/// therefore asks for reuse first and, where libcurl wants to connect instead, asks again with prior knowledge, or the other
/// way round when a connection has come up meanwhile. The try that fails sends nothing.
struct ClearHTTP2 {
    enum Attempt {
        case reuse
        case connect
    }

    /// Tries after which the hop fails if connections keep opening and closing under it.
    private static let limit = 8

    /// nil when the hop needs none of this: HTTP/1.1, or TLS.
    private(set) var attempt: Attempt?
    private var hasConnected = false
    private var mustChange = false
    private var tries = 0

    mutating func begin(isNeeded: Bool) {
        attempt = isNeeded ? .reuse : nil
        hasConnected = false
        mustChange = false
        tries = 0
    }

    /// Whether libcurl, which wants to open a connection, may do so.
    mutating func mayConnect() -> Bool {
        guard attempt == .reuse else {
            hasConnected = true
            return true
        }
        mustChange = true
        return false
    }

    /// Whether libcurl, which is about to send the request, may use its connection.
    mutating func mayUseConnection() -> Bool {
        guard attempt == .connect, !hasConnected else { return true }
        mustChange = true
        return false
    }

    /// The next attempt; nil when the end of the last one is final.
    mutating func next() -> Attempt? {
        guard mustChange, tries < Self.limit else { return nil }
        tries += 1
        mustChange = false
        hasConnected = false
        attempt = attempt == .reuse ? .connect : .reuse
        return attempt
    }
}
