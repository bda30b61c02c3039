/// Reason for which a stream cannot be linted or surveyed.
package struct StreamFailure: Error, Equatable {
    package enum Reason: Sendable {
        /// What was given cannot be used, or what answers is no stream: no URL, no such file, a host that may not be asked.
        case unusable
        /// The host does not answer, or not with success.
        case unreachable
    }

    package var reason: Reason
    /// For a person, with the fix; addresses in it are redacted.
    package var message: String

    init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }
}
