import Sockets

/// The connection that a transfer ended on.
struct AnsweredOn {
    /// There was none.
    static let nothing = AnsweredOn()

    var localPort: UInt16 = 0
    /// The number of the address at its other end.
    var remote = RemoteAddresses.none
    /// What the handler noted of it.
    var note: UInt16 = 0
}
