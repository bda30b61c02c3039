import CCurl

/// The connection cache of a few owners.
///
/// libcurl walks a whole cache at the end of every transfer, so one cache for all would make a request's cost grow with the
/// number of viewers, and one cache each would cost memory: eight owners is where both are small.
final class ConnectionGroup {
    static let capacity = 8

    /// libcurl's share object; nil after it was cleaned up.
    private(set) var share: UnsafeMutableRawPointer?
    var ownerCount = 0

    init() throws(TransportError) {
        guard let share = curl_share_init() else {
            throw .library(call: "curl_share_init", message: "out of memory")
        }
        let code = podswarm_share_connections(share)
        guard code == CURLSHE_OK else {
            curl_share_cleanup(share)
            throw .library(call: "curl_share_setopt", message: String(cString: curl_share_strerror(code)))
        }
        self.share = share
    }

    /// Closes the cache's connections; false when an easy handle is still attached, and then nothing is closed.
    func cleanUp() -> Bool {
        guard let share else { return true }
        guard curl_share_cleanup(share) == CURLSHE_OK else { return false }
        self.share = nil
        return true
    }
}
