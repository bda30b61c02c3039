import HLS

/// Pod requests by break; limited: the oldest breaks are dropped, and rare identifiers share one entry.
struct BreakBook: Sendable {
    /// More than a day of breaks each minute.
    static let maximumBreaks = 2_048
    /// Limit of identifiers, lengths and splices of one break.
    static let maximumIdentifiers = 256

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
        entry.identifiers.count(asked.identifier, atMost: Self.maximumIdentifiers)
        entry.lengths.count(asked.length.prefix(Self.longestSplice), atMost: Self.maximumIdentifiers)
        if let splice = asked.splice {
            entry.splices.count(splice.prefix(Self.longestSplice), atMost: Self.maximumIdentifiers)
        }
        if entry.podRequests == 0 { entry.firstMicroseconds = now.microseconds }
        entry.podRequests += 1
        entry.lastMicroseconds = now.microseconds
        breaks[breakKey] = entry
    }
}

extension [String: Int] {
    /// Counts a name that a client chose; those beyond the limit share one entry.
    mutating func count(_ name: some StringProtocol, atMost limit: Int) {
        let name = String(name)
        self[self[name] != nil || count < limit ? name : Self.others, default: 0] += 1
    }

    static var others: String { "(other)" }
}

/// Parameters of a pod manifest request, as spelt there.
struct PodAsked: Sendable {
    let identifier: String
    let length: String
    let splice: String?
}
