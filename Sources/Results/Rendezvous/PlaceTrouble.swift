/// Reports a change of whether a place answers, once per change.
package struct PlaceTrouble: Sendable {
    package private(set) var reason: RendezvousError?

    package init() {}

    /// Records the outcome of an attempt, nil for an answer; returns a message for the user if it changed.
    package mutating func note(_ error: RendezvousError?) -> String? {
        defer { reason = error }
        switch (reason, error) {
        case (nil, let error?): return "The rendezvous does not answer: \(error)"
        case (_?, nil): return "The rendezvous answers again."
        case (nil, nil), (_?, _?): return nil
        }
    }
}
