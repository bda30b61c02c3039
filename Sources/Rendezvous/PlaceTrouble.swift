/// Whether a place answers, told once each time that it changes.
package struct PlaceTrouble: Sendable {
    /// Why it did not answer the last time; nil where it did.
    package private(set) var reason: RendezvousError?

    package init() {}

    /// Takes what came of asking.
    ///
    /// - Parameter error: Nil for an answer.
    /// - Returns: What to tell a person; nil where it was told.
    package mutating func note(_ error: RendezvousError?) -> String? {
        defer { reason = error }
        switch (reason, error) {
        case (nil, let error?): return "The rendezvous does not answer: \(error)"
        case (_?, nil): return "The rendezvous answers again."
        case (nil, nil), (_?, _?): return nil
        }
    }
}
