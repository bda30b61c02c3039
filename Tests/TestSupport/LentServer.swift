/// A server whose `run` returns when it was stopped, lent to a test.
package enum LentServer {
    struct EndedBeforeItServed: Error {}

    /// Runs a server for as long as a closure takes, and stops it whatever happens.
    ///
    /// - Parameters:
    ///   - run: Runs the server until it is stopped; calls its argument once with where it listens.
    ///   - stop: Makes `run` return.
    ///   - body: Is given where the server listens.
    /// - Returns: What the body returns, after the server has ended.
    /// - Throws: What the server or the body throws.
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
