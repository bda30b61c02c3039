/// Why no profile can be made of an address.
package struct SurveyFailure: Error, Equatable {
    package enum Reason: Sendable {
        /// What answers is no live stream of HLS, or may not be asked.
        case unusable
        /// Nobody answers, or not with success.
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
