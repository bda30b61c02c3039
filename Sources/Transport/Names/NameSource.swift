import Values

/// The end of one question for a name.
package struct NameAnswer: Equatable, Sendable {
    /// Both families, any order, port 0; empty without an answer.
    package var addresses: [SocketAddress] = []
    /// The least of the records, in seconds; 0 where unknown, as in a hosts file.
    package var timeToLive: Int64 = 0
}

/// Asks name servers: c-ares, or a script.
package protocol NameSource: Sendable {
    /// `done` is called once, on any thread, never from within.
    func ask(_ host: String, _ done: @escaping @Sendable (NameAnswer) -> Void)
}
