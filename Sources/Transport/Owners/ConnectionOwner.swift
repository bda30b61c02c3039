import CCurl

/// One viewer, whose connections no other viewer uses; ended by `HTTPTransport.close`; confined to the loop.
package final class ConnectionOwner {
    /// Unique within the transport; part of libcurl's cache key.
    package let scope: UInt32
    /// Index in `OriginTable.sources`; nil lets the kernel choose.
    let source: Int32?
    /// Whether a server passed libcurl's limit of TLS messages since the last request was sent.
    var isFlooded = false
    /// Whether a server has said since then, to libcurl, that its connection ends.
    var isEndAnnounced = false
    package internal(set) var isClosed = false
    /// nil until libcurl carries something for the owner.
    var group: ConnectionGroup?
    /// libcurl's transfers: closing looks at no other owner's.
    var transferSlots: [Int32] = []
    /// libcurl's, the newest first.
    var sockets: [Int32] = []
    /// The newest of the own exchange's, which knows the next one.
    var firstEntry: UnsafeMutableRawPointer?
    /// Stands for the order of a name's addresses.
    let chance: UInt32
    /// Resumed by this owner only.
    var sessions: [TLSSession] = []
    package internal(set) var connectionsOpened = 0

    /// `scope` must be unique among a carrier's owners.
    package init(scope: UInt32, source: Int32? = nil, chance: UInt32 = 0) {
        (self.scope, self.source, self.chance) = (scope, source, chance)
    }
}

/// libcurl walks a whole cache after every transfer: one for all would make that cost grow with the viewers, one each would
/// cost memory.
final class ConnectionGroup {
    static let capacity = 8

    /// nil after the clean-up.
    private(set) var share: UnsafeMutableRawPointer?
    var ownerCount = 0

    init() throws(TransportError) {
        guard let share = curl_share_init() else { throw .library(call: "curl_share_init", message: "out of memory") }
        let code = podswarm_share_connections(share)
        guard code == CURLSHE_OK else {
            curl_share_cleanup(share)
            throw .library(call: "curl_share_setopt", message: String(cString: curl_share_strerror(code)))
        }
        self.share = share
    }

    /// False when an easy handle is still attached.
    func cleanUp() -> Bool {
        guard let share else { return true }
        guard curl_share_cleanup(share) == CURLSHE_OK else { return false }
        self.share = nil
        return true
    }
}
