package import Rules

package struct ViewerShare: Equatable, Codable, Sendable {
    package var label: String
    package var viewers: Int
    package var viewersPercent: Double

    init(label: String, viewers: Int, of total: Int) {
        (self.label, self.viewers) = (label, viewers)
        viewersPercent = Double(viewers) / Double(max(1, total)) * 100
    }
}

package struct Finding: Sendable {
    package let code: FindingCode
    package let breakKey: String?
    /// Set if only its viewers are compared with each other.
    package var cohort: String?
    package let count: UInt64
    package let viewers: ViewerSet
    /// Viewers of the break, or of the run.
    package let viewersAsked: Int
    /// For findings across viewers, largest first.
    package let shares: [ViewerShare]
    package let seen: SightingSpan?

    /// Counts the viewers unless `count` is given.
    init(
        _ code: FindingCode,
        _ breakKey: String?,
        count: UInt64? = nil,
        _ viewers: ViewerSet,
        of asked: Int,
        shares: [ViewerShare] = [],
        seen: SightingSpan?
    ) {
        (self.code, self.breakKey, self.viewers, self.shares, self.seen) = (code, breakKey, viewers, shares, seen)
        (self.count, viewersAsked) = (count ?? UInt64(viewers.count), asked)
    }

    package var first: Sighting? { seen?.first }
    package var last: Sighting? { seen?.last }

    /// From 0 to 1.
    package var viewerShare: Double {
        viewersAsked == 0 ? 0 : min(1, Double(viewers.count &+ viewers.notHeld) / Double(viewersAsked))
    }

    /// Microseconds.
    static let usualAnnouncementTolerance = Int64(Duration.announcementTolerance / .microseconds(1))

    static func all(ledger: FindingLedger, breaks: [BreakRecord], joined: Int, tolerance: Int64) -> [Finding] {
        let viewers = breaks.map { ($0.key, max(Int(clamping: $0.due), $0.pods.viewerCount)) }
        let askedByBreak = Dictionary(viewers) { max($0, $1) }
        let seen = ledger.entries.compactMap { key, entry -> Finding? in
            guard let code = FindingCode(name: key.code) else { return nil }
            let breakKey = key.breakKey.isEmpty ? nil : key.breakKey
            let asked = breakKey.map { askedByBreak[$0] ?? 0 } ?? joined
            guard entry.ballots.isEmpty else { return entry.ballots.finding(code, breakKey: breakKey, asked: asked) }
            let most = max(entry.viewers.count, asked)
            return Finding(code, breakKey, count: entry.count, entry.viewers, of: most, seen: entry.span)
        }
        let derived = breaks.flatMap { record in
            [identifierSplit(of: record, tolerance: tolerance)].compactMap(\.self)
                + podMismatches(of: record) + podRenditionMismatches(of: record) + podsNotFound(of: record)
        }
        let told = announcements(of: breaks, tolerance: tolerance)
        return (seen + derived + identifierOrder(of: breaks) + told).sorted { $0.position < $1.position }
    }

    /// Distinguishes the findings of one code.
    var place: String { "\(breakKey ?? "") \(cohort ?? "")" }

    private var position: (Int, String, String, String) {
        let rank = Severity.allCases.firstIndex(of: code.severity) ?? 0
        return (rank, code.code, breakKey ?? "", shares.first?.label ?? "")
    }
}
