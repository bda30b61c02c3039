import Sockets

/// Somebody whose connections nobody else ever uses: one viewer.
///
/// Made by `HTTPTransport.makeOwner` and ended by `HTTPTransport.close`; confined to the transport's loop.
package final class ConnectionOwner {
    /// A number that no other owner of the transport has or had: part of libcurl's cache key.
    package let scope: UInt32
    /// Position in the configuration's source addresses, -1 lets the kernel choose.
    let sourceAddressIndex: Int32
    /// The connection cache of libcurl that this owner is in; nil until libcurl carries something for it.
    var group: ConnectionGroup?
    /// Head of the list of libcurl's open sockets of this owner, -1 when there is none.
    var firstSocket: Int32 = -1
    /// Head of the list of libcurl's transfers in flight for this owner, by slot, -1 when there is none.
    var firstTransfer: Int32 = -1
    /// Head of the list of this owner's connections of the own exchange, by descriptor, -1 when there is none.
    var firstConnection: Int32 = -1
    /// TLS sessions that this owner, and nobody else, may resume.
    var sessions: [TLSSession] = []
    /// Whether the owner has left; its requests end as abandoned.
    package internal(set) var isClosed = false
    /// Connections opened for this owner so far.
    package internal(set) var connectionsOpened = 0

    /// For carriers that open no connections, `scope` is any number that no other owner of theirs has.
    package init(scope: UInt32, sourceAddressIndex: Int32 = -1) {
        self.scope = scope
        self.sourceAddressIndex = sourceAddressIndex
    }
}
