package import Rules

/// Slow answer whose text is made only if it is still among the slowest at the end of its interval.
///
/// In a burst nearly each answer is the slowest so far, and nearly none stays it.
package struct SlowAnswerDraft {
    package var responseMicroseconds: Int64
    package var wallMicroseconds: Int64
    package var viewer: Int
    package var outcome: Outcome
    /// Returns the redacted address and the server; must not use the recorder.
    package var details: () -> (url: String, served: ServedBy)

    package init(
        responseMicroseconds: Int64,
        wallMicroseconds: Int64,
        viewer: Int,
        outcome: Outcome,
        details: @escaping () -> (url: String, served: ServedBy)
    ) {
        self.responseMicroseconds = responseMicroseconds
        self.wallMicroseconds = wallMicroseconds
        self.viewer = viewer
        self.outcome = outcome
        self.details = details
    }
}

/// Thresholds of this loop for the slowest answers by kind and break, with the slow answers of the interval.
struct SlownessDesk {
    private static let kinds = RequestKind.allCases.count
    private static let kept = SlowestAnswers.perBreak

    /// Slowest response times so far by break and kind, slowest first; requests outside any break come first.
    private var slowest = [Int64](repeating: -1, count: Self.kinds * Self.kept)
    /// Slow answers of this interval, by break and kind.
    private var drafts: [Int: [SlowAnswerDraft]] = [:]

    @inline(__always)
    private static func group(_ place: Int?, _ kind: RequestKind) -> Int {
        (place.map { $0 &+ 1 } ?? 0) &* kinds &+ Int(kind.rawValue)
    }

    mutating func makeRoomForBreak() {
        slowest.append(contentsOf: repeatElement(-1, count: Self.kinds * Self.kept))
    }

    /// Whether an answer is among the slowest so far; one load and one comparison.
    ///
    /// `place` is the index of the break; nil outside any break.
    @inline(__always)
    func isSlow(_ kind: RequestKind, _ place: Int?, _ microseconds: Int64) -> Bool {
        let last = Self.group(place, kind) &* Self.kept &+ (Self.kept &- 1)
        return last >= 0 && last < slowest.count && microseconds > slowest[last]
    }

    mutating func keep(_ draft: SlowAnswerDraft, _ kind: RequestKind, _ place: Int?) {
        guard isSlow(kind, place, draft.responseMicroseconds) else { return }
        let group = Self.group(place, kind)
        let times = group * Self.kept..<(group + 1) * Self.kept
        var place = times.upperBound - 1
        while place > times.lowerBound, slowest[place - 1] < draft.responseMicroseconds {
            slowest[place] = slowest[place - 1]
            place -= 1
        }
        slowest[place] = draft.responseMicroseconds
        let least = slowest[times.upperBound - 1]
        var kept = (drafts[group] ?? []).filter { $0.responseMicroseconds >= least }
        kept.append(draft)
        if kept.count > Self.kept, let first = kept.firstIndex(where: { $0.responseMicroseconds == least }) {
            kept.remove(at: first)
        }
        drafts[group] = kept
    }

    /// Slow answers since `clear`, with their texts.
    func answers(keyOf key: (_ place: Int) -> String) -> [SlowAnswer] {
        drafts.sorted { $0.key < $1.key }
            .flatMap { group, drafts -> [SlowAnswer] in
                let place = group / Self.kinds - 1
                guard let kind = RequestKind(rawValue: UInt8(clamping: group % Self.kinds)) else { return [] }
                return drafts.map { draft in
                    let details = draft.details()
                    return SlowAnswer(
                        kind: kind,
                        breakKey: place < 0 ? "" : key(place),
                        responseMicroseconds: draft.responseMicroseconds,
                        wallMicroseconds: draft.wallMicroseconds,
                        viewer: draft.viewer,
                        outcome: draft.outcome.code,
                        url: details.url,
                        served: details.served
                    )
                }
            }
    }

    /// Discards the answers and keeps the thresholds.
    mutating func clear() {
        drafts.removeAll(keepingCapacity: true)
    }
}
