import CapacityResult
import RunLibrary
import RunResult
import Thresholds

extension RunRow {
    /// How it ended, in a word or two.
    var outcomeTitle: String {
        if let outcome = RunVerdict.Outcome(rawValue: outcome) { return outcome.title }
        switch CapacityAnswer.Kind(rawValue: outcome) {
        case .found: return "Found"
        case .wide: return "Found, wide"
        case .atLeast: return "At least"
        case .below: return "Below"
        case .unknown, nil: return "Unknown"
        }
    }

    /// Plain where it is neither good nor bad.
    var tone: Tone { RunVerdict.Outcome(rawValue: outcome)?.tone ?? .plain }

    /// As much of the gravest reason as a line holds.
    var shortReason: String {
        let text = reason ?? ""
        return text.count > 140 ? text.prefix(139) + "…" : text
    }

    /// What sets it apart from a run that began, went on and ended as one; empty for such a run.
    var marks: [String] {
        let kind: [String] =
            switch kind {
            case .run: []
            case .soak: ["soak"]
            case .shard: ["one shard"]
            case .merged: ["merged shards"]
            case .searched: ["of a search"]
            case .capacity: [isInterrupted ? "capacity, not ended" : "capacity"]
            }
        return kind + (isRecovered ? ["recovered"] : [])
    }

    /// Such as `99.98%`; a dash where nobody was due.
    var onTimeText: String { onTimePercent.map(MetricText.percent) ?? "–" }

    /// To the minute, in UTC.
    var startText: String { String(TimeText.instant(startedAtMicroseconds).prefix(16)) }

    /// The release that a label names; nil for none, and for an empty one.
    func release(by label: String) -> String? { labels[label].flatMap { $0.isEmpty ? nil : $0 } }

    /// Labels as the user gave them, by name.
    var labelTexts: [String] { labels.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" } }
}
