/// Somebody whose connections nobody else ever uses: one viewer.
///
/// Made by `HTTPTransport.makeOwner` and ended by `HTTPTransport.close`; confined to the transport's loop.
package final class ConnectionOwner {
    /// A number that no other owner of the connection cache has or had: part of libcurl's cache key.
    let scope: UInt32
    let group: ConnectionGroup
    /// Position in the configuration's source addresses; nil lets the kernel choose.
    let sourceAddressIndex: Int?
    /// Head of the list of this owner's open sockets, -1 when there is none.
    var firstSocket: Int32 = -1
    /// Head of the list of this owner's transfers in flight, by slot, -1 when there is none.
    var firstTransfer: Int32 = -1
    /// Whether the owner has left; its requests end as abandoned.
    package internal(set) var isClosed = false
    /// Connections opened for this owner so far.
    package internal(set) var connectionsOpened = 0

    init(scope: UInt32, group: ConnectionGroup, sourceAddressIndex: Int?) {
        self.scope = scope
        self.group = group
        self.sourceAddressIndex = sourceAddressIndex
    }
}
