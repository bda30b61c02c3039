package import AdServing
package import HLS
package import LoadProfile

/// Reads the breaks that a live playlist announces by EXT-X-DATERANGE.
package struct AnnouncedBreaks: Sendable {
    /// nil takes the ranges that carry SCTE35-OUT.
    private let classAttribute: String?
    private let fallbackDuration: Duration

    package init(classAttribute: String?, fallbackDuration: Duration) {
        self.classAttribute = classAttribute
        self.fallbackDuration = fallbackDuration
    }

    /// nil for a plan whose breaks come from elsewhere.
    package init?(_ plan: BreakPlan) {
        guard case .dateRange(let classAttribute) = plan.source else { return nil }
        self.init(classAttribute: classAttribute, fallbackDuration: plan.podDuration)
    }

    /// The announced breaks by their start.
    package func breaks(in playlist: MediaPlaylist) -> [ScheduledBreak] {
        playlist.dateRanges.compactMap(self.scheduled).sorted { $0.start < $1.start }
    }

    private func scheduled(_ range: DateRange) -> ScheduledBreak? {
        let isBreak = self.classAttribute.map { $0 == range.classAttribute } ?? (range.scte35Out != nil)
        guard isBreak, let start = range.startDate else { return nil }
        return ScheduledBreak(
            start: start,
            duration: range.duration ?? range.plannedDuration ?? self.fallbackDuration,
            key: range.id,
            ordinal: Self.trailingNumber(of: range.id) ?? 1,
            dateRangeID: range.id
        )
    }

    private static func trailingNumber(of id: String) -> Int? {
        let digits = id.utf8.reversed().prefix { $0 >= 0x30 && $0 <= 0x39 }
        return digits.isEmpty ? nil : Int(String(decoding: digits.reversed(), as: UTF8.self))
    }
}
