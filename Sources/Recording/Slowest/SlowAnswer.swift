package import Rules
import Values

/// One of the slowest answers of a run, as text that may leave the process.
package struct SlowAnswer: Hashable, Codable, Sendable {
    package var kind: RequestKind
    /// Empty outside any break.
    package var breakKey: String
    /// Planned to done.
    package var responseMicroseconds: Int64
    /// Planned instant, since the Unix epoch.
    package var wallMicroseconds: Int64
    package var viewer: Int
    /// As in `Outcome.code`.
    package var outcome: String
    package var url: String
    package var served: ServedBy

    package init(
        kind: RequestKind,
        breakKey: String,
        responseMicroseconds: Int64,
        wallMicroseconds: Int64,
        viewer: Int,
        outcome: String,
        url: String,
        served: ServedBy
    ) {
        self.kind = kind
        self.breakKey = Evidence.bounded(breakKey)
        self.responseMicroseconds = responseMicroseconds
        self.wallMicroseconds = wallMicroseconds
        self.viewer = viewer
        self.outcome = outcome
        self.url = Evidence.bounded(url)
        self.served = served
    }

    /// Slower first, then earlier.
    func precedes(_ other: SlowAnswer) -> Bool {
        let own = (-responseMicroseconds, wallMicroseconds, viewer, breakKey, url, outcome)
        let others = (
            -other.responseMicroseconds, other.wallMicroseconds, other.viewer, other.breakKey, other.url, other.outcome
        )
        return own == others ? served < other.served : own < others
    }
}

extension SlowAnswer: CheckedWhenRead {
    package var problem: String? {
        (0...Int64.max / 2).contains(responseMicroseconds) ? nil : "no response time: \(responseMicroseconds)"
    }
}
