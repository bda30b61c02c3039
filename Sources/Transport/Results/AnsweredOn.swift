/// The connection that a transfer ended on.
struct AnsweredOn {
    static let nothing = AnsweredOn()

    var localPort: UInt16 = 0
    /// Number of the peer's address in `RemoteAddresses`.
    var remote = RemoteAddresses.none
    var note: UInt16 = 0
}
