/// A server whose `run` returns when it was stopped, lent to a test.
package enum LentServer {
    struct EndedBeforeItServed: Error {}

    /// Runs a server for as long as a closure takes, and stops it whatever happens.
    ///
    /// `run` calls its argument once with where it listens, and returns when `stop` is called.
    package static func serving<Address: Sendable, Outcome: Sendable>(
        run: @escaping @Sendable (@escaping @Sendable (Address) -> Void) async throws -> Void,
        stop: () -> Void,
        _ body: (Address) async throws -> Outcome
    ) async throws -> Outcome {
        let (addresses, announce) = AsyncStream.makeStream(of: Address.self)
        let running = Task {
            defer { announce.finish() }
            try await run { announce.yield($0) }
        }
        var iterator = addresses.makeAsyncIterator()
        guard let address = await iterator.next() else {
            try await running.value
            throw EndedBeforeItServed()
        }
        return try await ending {
            stop()
            try await running.value
        } after: {
            try await body(address)
        }
    }
}
