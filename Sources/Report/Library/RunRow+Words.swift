import Comparison
import Results
import Rules

extension RunRow {
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

    var tone: Tone { RunVerdict.Outcome(rawValue: outcome)?.tone ?? .plain }

    var shortReason: String {
        let text = reason ?? ""
        return text.count > 140 ? text.prefix(139) + "…" : text
    }

    /// Differences from an ordinary, complete run; empty for such a run.
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

    /// Such as `99.98%`; a dash if no viewer was due.
    var onTimeText: String { onTimePercent.map(MetricText.percent) ?? "–" }

    /// To the minute, in UTC.
    var startText: String { String(TimeText.instant(startedAtMicroseconds).prefix(16)) }

    /// The release that a label names; nil for none, and for an empty one.
    func release(by label: String) -> String? { labels[label].flatMap { $0.isEmpty ? nil : $0 } }

    var labelTexts: [String] { labels.pairs }
}
