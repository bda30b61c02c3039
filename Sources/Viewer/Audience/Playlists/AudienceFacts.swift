package import AdServing
package import HLS
package import Values

package struct BreakNotice: Sendable, Equatable {
    package let scheduled: ScheduledBreak
    /// End of the break as the version announces it, an early return included.
    package let end: WallTime
    /// Hash of `attributes`.
    package let fingerprint: UInt64
    /// Attributes that must be equal for every viewer; empty without a date range.
    package let attributes: [String: String]
    /// Dates and durations among them, in microseconds.
    package let times: [String: Int64]

    package init(_ scheduled: ScheduledBreak, end: WallTime, attributes: [String: String], times: [String: Int64]) {
        (self.scheduled, self.end, self.attributes, self.times) = (scheduled, end, attributes, times)
        var hash = FNV1a()
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
            hash.add(name.utf8)
            hash.add(0xFF)
            hash.add(value.utf8)
            hash.add(0xFE)
        }
        fingerprint = hash.value
    }
}

/// Facts of one version for comparison between viewers, computed once for all of them.
package struct AudienceFacts: Sendable, Equatable {
    package let notices: [BreakNotice]
    /// Changes with any notice.
    package let digest: UInt64
    /// Whether the text names any stream session, which then must be the viewer's own.
    package let namesSessions: Bool
    /// Words in the text that may be sessions of another process's viewers.
    package let strangers: StrangeWords
    /// Programme dates that the version covers; nil without dates.
    package let covered: ClosedRange<WallTime>?

    /// The newest ranges, since each is searched for among the breaks.
    private static let readRanges = 64

    package static let none = AudienceFacts()

    private init() { (notices, digest, namesSessions, strangers, covered) = ([], 0, false, .none, nil) }

    /// `sessions` are those that the run was given.
    package init(
        _ playlist: borrowing MediaPlaylist,
        announced: [ScheduledBreak],
        schedule: BreakOffers?,
        sessions: GivenSessions = GivenSessions()
    ) {
        var notices: [BreakNotice] = []
        let interstitials = (schedule?.interstitials ?? []).filter { !$0.isPreRoll && !$0.isPostRoll }
        var ranges = playlist.dateRanges
        if ranges.count > Self.readRanges {
            // Many ranges may be no breaks, and must not take the room of the others.
            let breaks = Set(announced.compactMap(\.dateRangeID)).union(interstitials.map(\.id))
            ranges = ranges.filter { breaks.contains($0.id) }.suffix(Self.readRanges)
        }
        for range in ranges {
            let interstitial = interstitials.first { $0.id == range.id }
            guard
                let scheduled = announced.first(where: { $0.dateRangeID == range.id })
                    ?? interstitial?.planned.scheduled
            else { continue }
            let (end, attributes) = (range.end(of: scheduled), range.sharedAttributes)
            notices.append(BreakNotice(scheduled, end: end, attributes: attributes, times: range.times))
        }
        for stitched in (schedule?.stitched ?? []).suffix(Self.readRanges)
        where !notices.contains(where: { $0.scheduled.key == stitched.planned.scheduled.key }) {
            let scheduled = stitched.planned.scheduled
            notices.append(BreakNotice(scheduled, end: scheduled.end, attributes: [:], times: [:]))
        }
        self.notices = notices
        digest = notices.reduce(0) { sum, notice in
            let end = UInt64(bitPattern: notice.end.microseconds)
            return (sum ^ notice.fingerprint ^ end &* 31) &* 0x9E37_79B9_7F4A_7C15
        }
        namesSessions = playlist.text.withUnsafeBytes { sessions.areNamed(in: $0) }
        strangers = playlist.text.withUnsafeBytes { sessions.strangers(in: $0) }
        if let first = playlist.programDate(at: 0), let end = playlist.endProgramDate, first <= end {
            covered = first...end
        } else {
            covered = nil
        }
    }
}

extension DateRange {
    private static let textLimit = 128
    private static let playoutLimit = "X-PLAYOUT-LIMIT"
    /// References and attributes with references may legitimately be an edge's or a viewer's own.
    private static let ownAttributes: Set<String> = [
        "X-ASSET-URI", "X-ASSET-LIST", "X-URI", "X-AD-CREATIVE-SIGNALING", playoutLimit,
    ]

    fileprivate var sharedAttributes: [String: String] {
        var all = ["ID": id]
        all["CLASS"] = classAttribute
        all["START-DATE"] = startDate?.iso8601
        all["END-DATE"] = endDate?.iso8601
        all["DURATION"] = duration.map { "\($0)" }
        all["PLANNED-DURATION"] = plannedDuration.map { "\($0)" }
        if !cue.isEmpty { all["CUE"] = cue.map(\.rawValue).sorted().joined(separator: ",") }
        if endOnNext { all["END-ON-NEXT"] = "YES" }
        all["SCTE35-OUT"] = scte35Out
        all["SCTE35-IN"] = scte35In
        all["SCTE35-CMD"] = scte35Command
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }).prefix(24)
        where !Self.ownAttributes.contains(name) && !value.text.contains("/") { all[name] = value.text }
        return all.mapValues { String($0.prefix(Self.textLimit)) }
    }

    /// In microseconds.
    fileprivate var times: [String: Int64] {
        var all: [String: Int64] = [:]
        all["START-DATE"] = startDate?.microseconds
        all["END-DATE"] = endDate?.microseconds
        all["DURATION"] = duration?.wholeMicroseconds
        all["PLANNED-DURATION"] = plannedDuration?.wholeMicroseconds
        return all
    }

    fileprivate func end(of scheduled: ScheduledBreak) -> WallTime {
        let start = startDate ?? scheduled.start
        let planned = knownEndDate ?? start + (plannedDuration ?? scheduled.duration)
        let limit = attributes[Self.playoutLimit].flatMap { Double($0.text) }
        guard let limit, limit >= 0, limit < 86_400 else { return planned }
        return min(planned, start + .microseconds(Int64(limit * 1e6)))
    }
}
