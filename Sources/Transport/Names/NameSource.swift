import Values

/// The end of one question for a name.
package struct NameAnswer: Equatable, Sendable {
    /// Of both families, in any order, with port 0; empty where the name has none or the servers gave no answer.
    package var addresses: [SocketAddress]
    /// The least of the answer's records, in seconds; 0 where it says none, as a hosts file.
    package var timeToLive: Int64

    package init(addresses: [SocketAddress] = [], timeToLive: Int64 = 0) {
        (self.addresses, self.timeToLive) = (addresses, timeToLive)
    }
}

/// Asks name servers: c-ares, or a script.
package protocol NameSource: Sendable {
    /// Calls `done` once, on any thread, and never from within.
    func ask(_ host: String, _ done: @escaping @Sendable (NameAnswer) -> Void)
}
