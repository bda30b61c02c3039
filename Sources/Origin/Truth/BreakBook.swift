import HLS

/// Pod requests by break, bounded: the oldest breaks are forgotten, and rare identifiers share one line.
struct BreakBook: Sendable {
    /// A day of breaks, one a minute, and more.
    static let maximumBreaks = 2_048
    /// Identifiers listed for one break; further ones are counted as `otherIdentifiers`.
    static let maximumIdentifiers = 256
    static let otherIdentifiers = "(other)"

    private(set) var breaks: [String: GroundTruth.BreakTruth] = [:]
    private var order: [String] = []

    mutating func pod(identifier: String, breakKey: String, at now: WallTime) {
        if breaks[breakKey] == nil {
            order.append(breakKey)
            if order.count > Self.maximumBreaks { breaks[order.removeFirst()] = nil }
        }
        var entry = breaks[breakKey] ?? GroundTruth.BreakTruth()
        let isListed = entry.identifiers[identifier] != nil || entry.identifiers.count < Self.maximumIdentifiers
        entry.identifiers[isListed ? identifier : Self.otherIdentifiers, default: 0] += 1
        if entry.podRequests == 0 { entry.firstMicroseconds = now.microseconds }
        entry.podRequests += 1
        entry.lastMicroseconds = now.microseconds
        breaks[breakKey] = entry
    }
}
