/// Retry rules for failed registrations.
///
/// Ad Manager help, "Best practices for DAI errors": 4xx other than 429 is a mistake of the client and is not tried again; 429
/// and 5xx are. The IMA SDK tries its second host once. Delays double from one second.
package enum RegistrationFailurePolicy {
    package enum Host: String, Hashable, Sendable {
        case primary
        case backup
    }

    package enum Decision: Hashable, Sendable {
        case giveUp
        case retry(host: Host, after: Duration)
    }

    /// Total without a backup host.
    package static let maximumAttempts = 3

    /// Decides after attempt number `attempt`, counted from 1.
    ///
    /// A nil status is a transport failure. With a backup host, the first failure moves there at once and the second is final;
    /// without one, attempts follow after 1 and 2 seconds.
    package static func decide(status: Int?, attempt: Int, hasBackupHost: Bool) -> Decision {
        if let status, status != 429, !(500...599).contains(status) {
            return .giveUp
        }
        guard !hasBackupHost else {
            return attempt <= 1 ? .retry(host: .backup, after: .zero) : .giveUp
        }
        guard attempt < maximumAttempts else {
            return .giveUp
        }
        return .retry(host: .primary, after: .seconds(attempt <= 1 ? 1 : 2))
    }
}
