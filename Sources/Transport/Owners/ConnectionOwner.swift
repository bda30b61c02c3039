import CCurl

/// One viewer, whose connections no other viewer ever uses.
///
/// Made by `HTTPTransport.makeOwner` and ended by `HTTPTransport.close`; confined to the transport's loop.
package final class ConnectionOwner {
    /// A number that no other owner of the transport has or had: part of libcurl's cache key.
    package let scope: UInt32
    /// Position in the configuration's source addresses, -1 lets the kernel choose.
    let sourceAddressIndex: Int32
    /// The owner's connection cache in libcurl; nil until libcurl carries something for it.
    var group: ConnectionGroup?
    /// Slots of the transfers that libcurl carries for this owner: closing it looks at no other owner's.
    var transferSlots: [Int32] = []
    /// libcurl's open sockets of this owner, the newest first.
    var sockets: [Int32] = []
    /// Head of the list of this owner's connections of the own exchange, by descriptor, -1 when there is none.
    var firstConnection: Int32 = -1
    /// Stands for the order in which this owner tries the addresses of a name.
    let chance: UInt32
    /// TLS sessions that only this owner may resume.
    var sessions: [TLSSession] = []
    package internal(set) var isClosed = false
    package internal(set) var connectionsOpened = 0

    /// For carriers that open no connections, `scope` is any number that no other owner of theirs has.
    package init(scope: UInt32, sourceAddressIndex: Int32 = -1, chance: UInt32 = 0) {
        self.scope = scope
        self.sourceAddressIndex = sourceAddressIndex
        self.chance = chance
    }
}

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
