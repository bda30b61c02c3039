/// Waiting for what no event announces: another process, a file, an answer of a server.
package enum Patience {
    /// A limit that ends what hangs.
    ///
    /// A machine with much else to do is no reason to fail, so it is generous; a test that passes never comes near it.
    package static let limit: Duration = .seconds(400)

    /// True as soon as the condition holds, false when it does not in time; asks with a pause of 20 ms.
    package static func sees(
        within limit: Duration = limit,
        _ condition: () async throws -> Bool
    ) async throws -> Bool {
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        while try await !condition() {
            guard clock.now < deadline else { return false }
            try await clock.sleep(for: .milliseconds(20))
        }
        return true
    }
}
