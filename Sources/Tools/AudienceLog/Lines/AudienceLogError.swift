/// Reason why logs give no audience.
package enum AudienceLogError: Error, Equatable, Sendable {
    case unreadable(name: String, reason: String)
    case unknownFormat(name: String)
    case notAnArchive(String)
    case nobodyWatches(String)
    /// Requests are further apart than an event may last.
    case tooLong(days: Int)

    package var message: String {
        switch self {
        case .unreadable(let name, let reason): "\(name): \(reason)"
        case .unknownFormat(let name):
            "\(name): its first lines are of no log that is known; --format names one, --field its fields"
        case .notAnArchive(let reason): "it is \(reason)"
        case .nobodyWatches(let reason): reason
        case .tooLong(let days):
            "the requests are \(days) days apart; --from and --to choose the event, of at most "
                + "\(AudienceLogOptions.longestDays) days"
        }
    }
}
