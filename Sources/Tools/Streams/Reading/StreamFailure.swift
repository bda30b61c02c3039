/// Reason why a stream cannot be linted or surveyed.
package struct StreamFailure: Error, Equatable {
    package enum Reason: Sendable {
        /// Unusable input, or an answer that is not a stream: an invalid URL, a missing file, a host that is not authorised.
        case unusable
        /// The host does not answer, or not with success.
        case unreachable
    }

    package var reason: Reason
    /// Includes the fix; URLs in it are redacted.
    package var message: String

    init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }
}
