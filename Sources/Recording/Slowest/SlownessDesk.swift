package import Rulebook

/// A slow answer that is put into words only if it is still among the slowest when its interval ends.
///
/// In a burst nearly each answer is the slowest so far, and nearly none of them stays it.
package struct SlowAnswerDraft {
    package var responseMicroseconds: Int64
    package var wallMicroseconds: Int64
    package var viewer: Int
    package var outcome: Outcome
    /// Gives the redacted address and who served it; must not use the recorder.
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

/// How slow an answer must be on this loop to be among the slowest of its kind and break, and those of the interval.
struct SlownessDesk {
    private static let kinds = RequestKind.allCases.count
    private static let kept = SlowestAnswers.perBreak

    /// For each break and kind the slowest response times so far, the slowest first; no break comes first.
    private var slowest = [Int64](repeating: -1, count: Self.kinds * Self.kept)
    /// The slow answers of this interval, by break and kind.
    private var drafts: [Int: [SlowAnswerDraft]] = [:]

    @inline(__always)
    private static func group(_ slot: Int32, _ kind: RequestKind) -> Int {
        (Int(slot) &+ 1) &* kinds &+ Int(kind.rawValue)
    }

    /// Takes the memory for one more break.
    mutating func makeRoomForBreak() {
        slowest.append(contentsOf: repeatElement(-1, count: Self.kinds * Self.kept))
    }

    /// Whether an answer is among the slowest so far; one load and one comparison.
    @inline(__always)
    func isSlow(_ kind: RequestKind, _ slot: Int32, _ microseconds: Int64) -> Bool {
        let last = Self.group(slot, kind) &* Self.kept &+ (Self.kept &- 1)
        return last >= 0 && last < slowest.count && microseconds > slowest[last]
    }

    /// Keeps an answer that is among the slowest.
    mutating func keep(_ draft: SlowAnswerDraft, _ kind: RequestKind, _ slot: Int32) {
        guard isSlow(kind, slot, draft.responseMicroseconds) else { return }
        let group = Self.group(slot, kind)
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

    /// The slow answers since `clear`, in words.
    func answers(keyOf key: (_ slot: Int32) -> String) -> [SlowAnswer] {
        drafts.sorted { $0.key < $1.key }
            .flatMap { group, drafts -> [SlowAnswer] in
                let slot = Int32(truncatingIfNeeded: group / Self.kinds - 1)
                guard let kind = RequestKind(rawValue: UInt8(clamping: group % Self.kinds)) else { return [] }
                return drafts.map { draft in
                    let details = draft.details()
                    return SlowAnswer(
                        kind: kind,
                        breakKey: slot < 0 ? "" : key(slot),
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

    /// Forgets the answers, and not how slow they were.
    mutating func clear() {
        drafts.removeAll(keepingCapacity: true)
    }
}
