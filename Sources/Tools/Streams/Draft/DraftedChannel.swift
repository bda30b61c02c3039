import Profile
import Values

/// Section `channel` of a draft: facts of the channel for the bill of a run.
enum DraftedChannel {
    /// Lines of the section, with only the fields whose values a profile accepts.
    ///
    /// `announced` has the breaks for which viewers request ads; nil without such breaks.
    static func lines(_ facts: StreamFacts, _ announced: SeenBreaks.Announced?) -> [String] {
        var fields: [(name: String, value: Duration?)] = [
            ("targetDuration", facts.media.targetDuration.held(in: ExpectedChannel.targetDurations))
        ]
        let interval = announced?.cadence.map(DraftedBreaks.inMilliseconds)?.held(in: ExpectedChannel.breakIntervals)
        let length = announced?.usualLength.map(DraftedBreaks.inMilliseconds)?
            .held(in: ExpectedChannel.breakDurations)?.held(in: .seconds(1)...(interval ?? .seconds(3_600)))
        if let interval {
            fields.append(("breakInterval", interval))
            fields.append(("breakOffset", announced?.firstStart.map { offset(of: $0, from: interval) }))
        }
        if let length {
            fields.append(("breakDuration", length))
            let ads = facts.breaks.content.assetsInList ?? 0
            let ad = ads > 0 ? DraftedBreaks.inMilliseconds(length / ads) : nil
            fields.append(("adDuration", ad?.held(in: ExpectedChannel.breakDurations)))
        }
        let written = fields.compactMap { name, value in value.map { "  \(name): \($0.text)" } }
        guard !written.isEmpty else { return [] }
        let comment = "  # Seen; podswarm plan and the bill before a run need it. A run does the same without it."
        return ["channel:", comment] + written + [""]
    }

    /// Time from the last multiple of `interval` since the Unix epoch to `start`.
    private static func offset(of start: WallTime, from interval: Duration) -> Duration {
        let step = max(interval.nanosecondsHeld / 1_000_000, 1)
        let milliseconds = start.microseconds / 1_000 % step
        return .milliseconds(milliseconds < 0 ? milliseconds + step : milliseconds)
    }
}

extension Duration {
    fileprivate func held(in range: ClosedRange<Duration>) -> Duration? { range.contains(self) ? self : nil }
}
