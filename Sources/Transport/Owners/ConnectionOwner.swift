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
    /// Head of the list of libcurl's open sockets of this owner, -1 when there is none.
    var firstSocket: Int32 = -1
    /// Head of the list of this owner's connections of the own exchange, by descriptor, -1 when there is none.
    var firstConnection: Int32 = -1
    /// TLS sessions that only this owner may resume.
    var sessions: [TLSSession] = []
    package internal(set) var isClosed = false
    package internal(set) var connectionsOpened = 0

    /// For carriers that open no connections, `scope` is any number that no other owner of theirs has.
    package init(scope: UInt32, sourceAddressIndex: Int32 = -1) {
        self.scope = scope
        self.sourceAddressIndex = sourceAddressIndex
    }
}
