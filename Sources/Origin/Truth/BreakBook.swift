import HLS

/// Pod requests by break; limited: the oldest breaks are dropped, and rare identifiers share one entry.
struct BreakBook: Sendable {
    /// More than a day of breaks each minute.
    static let maximumBreaks = 2_048
    /// Limit of identifiers, lengths and splices of one break; more are counted as `otherIdentifiers`.
    static let maximumIdentifiers = 256
    static let otherIdentifiers = "(other)"

    private(set) var breaks: [String: GroundTruth.BreakTruth] = [:]
    private var order: [String] = []

    /// Bytes; longer splices are cut.
    private static let longestSplice = 1_024

    mutating func pod(_ asked: PodAsked, breakKey: String, at now: WallTime) {
        if breaks[breakKey] == nil {
            order.append(breakKey)
            if order.count > Self.maximumBreaks { breaks[order.removeFirst()] = nil }
        }
        var entry = breaks[breakKey] ?? GroundTruth.BreakTruth()
        Self.count(asked.identifier, in: &entry.identifiers)
        Self.count(asked.length.prefix(Self.longestSplice).description, in: &entry.lengths)
        if let splice = asked.splice { Self.count(splice.prefix(Self.longestSplice).description, in: &entry.splices) }
        if entry.podRequests == 0 { entry.firstMicroseconds = now.microseconds }
        entry.podRequests += 1
        entry.lastMicroseconds = now.microseconds
        breaks[breakKey] = entry
    }

    private static func count(_ name: String, in counts: inout [String: Int]) {
        let isListed = counts[name] != nil || counts.count < maximumIdentifiers
        counts[isListed ? name : otherIdentifiers, default: 0] += 1
    }
}

/// Parameters of a pod manifest request, as spelt there.
struct PodAsked: Sendable {
    let identifier: String
    let length: String
    let splice: String?
}
