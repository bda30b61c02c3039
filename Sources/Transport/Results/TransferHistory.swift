/// What became of a transfer on its way, over all its hops and connections.
struct TransferHistory {
    /// When the transfer began, 0 before that: the total timeout counts from here.
    var startedAt: Int64 = 0
    /// The moment the request was first about to be written to a connection, 0 before that.
    var sentAt: Int64 = 0
    var connectMicroseconds: Int64 = 0
    var tlsMicroseconds: Int64 = 0
    var newConnections: Int32 = 0
    /// Times a request was put on a connection.
    var sends: Int32 = 0
    var redirects: Int32 = 0
    /// A redirect led to a host of another name.
    var leftHost = false

    /// Notes that a request is about to be written.
    mutating func sent(at now: Int64) {
        if sentAt == 0 { sentAt = now }
        sends &+= 1
    }
}
