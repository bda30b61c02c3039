/// Why there is nothing that a lint could judge.
package struct LintFailure: Error {
    package enum Reason: Sendable {
        /// What was given cannot be used: no URL, no such file, a file of authorities that is none.
        case badInput
        /// The playlist's host does not answer, or not with success.
        case unreachable
    }

    package var reason: Reason
    /// For a person; addresses in it are redacted.
    package var message: String

    init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }
}
