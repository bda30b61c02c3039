package import Rules
import Values

package struct SlowAnswer: Hashable, Codable, Sendable, CheckedWhenRead {
    package var kind: RequestKind
    package var breakKey: String
    /// Planned to done.
    package var responseMicroseconds: Int64
    package var outcome: String
    /// At the planned instant.
    package var sighting: Sighting

    /// Must not use the recorder.
    package typealias Draft = (_ breakKey: String) -> SlowAnswer

    package init(
        kind: RequestKind,
        breakKey: String,
        responseMicroseconds: Int64,
        outcome: String,
        at moment: ViewerMoment,
        _ evidence: Evidence
    ) {
        (self.kind, self.breakKey) = (kind, Evidence.bounded(breakKey))
        (self.responseMicroseconds, self.outcome) = (responseMicroseconds, outcome)
        sighting = Sighting(moment, evidence)
    }

    /// Slower first, then earlier.
    func precedes(_ other: SlowAnswer) -> Bool {
        (-responseMicroseconds, sighting, breakKey, outcome)
            < (-other.responseMicroseconds, other.sighting, other.breakKey, other.outcome)
    }

    package var problem: String? {
        (0...Int64.max / 2).contains(responseMicroseconds) ? nil : "no response time: \(responseMicroseconds)"
    }
}

/// An answer omitted from a part is omitted from the whole, so the order and repetition of additions do not matter.
package struct SlowestAnswers: Equatable, Sendable, CodableByForm, EmptyWhereMissing {
    /// For one kind in one break, or outside any break.
    package static let perBreak = 3
    package static let perKind = 48

    private var kinds: [RequestKind: [SlowAnswer]] = [:]

    package init() {}

    package var isEmpty: Bool { kinds.isEmpty }

    /// Sorted by kind, slowest first.
    package var all: [SlowAnswer] { RequestKind.allCases.flatMap { kinds[$0] ?? [] } }

    package mutating func add(_ answer: SlowAnswer) {
        var answers = kinds[answer.kind] ?? []
        guard !answers.contains(answer) else { return }
        answers.insert(answer, at: answers.firstIndex { answer.precedes($0) } ?? answers.endIndex)
        var ofBreak: [String: Int] = [:]
        let kept = answers.filter {
            ofBreak[$0.breakKey, default: 0] += 1
            return ofBreak[$0.breakKey, default: 0] <= Self.perBreak
        }
        kinds[answer.kind] = Array(kept.prefix(Self.perKind))
    }

    package mutating func add(_ other: SlowestAnswers) { for answer in other.all { add(answer) } }

    package init(form answers: [SlowAnswer]) { for answer in answers { add(answer) } }

    package var form: [SlowAnswer] { all }
}

/// Slow answers of the interval, with the loop's thresholds.
struct SlownessDesk {
    private static let kinds = RequestKind.allCases.count
    private static let kept = SlowestAnswers.perBreak

    /// Sorted by break and kind, slowest first; requests outside any break come first.
    private var slowest = [Int64](repeating: -1, count: Self.kinds * Self.kept)
    /// In a burst nearly each answer is the slowest so far, and nearly none stays it, so texts are made at the end.
    private var drafts: [Int: [(responseMicroseconds: Int64, answer: SlowAnswer.Draft)]] = [:]

    @inline(__always)
    private static func group(_ place: Int?, _ kind: RequestKind) -> Int {
        (place.map { $0 &+ 1 } ?? 0) &* kinds &+ Int(kind.rawValue)
    }

    mutating func makeRoomForBreak() { slowest.append(contentsOf: repeatElement(-1, count: Self.kinds * Self.kept)) }

    /// One load and one comparison; `place` is the index of the break.
    @inline(__always)
    func isSlow(_ kind: RequestKind, _ place: Int?, _ microseconds: Int64) -> Bool {
        let last = Self.group(place, kind) &* Self.kept &+ (Self.kept &- 1)
        return last >= 0 && last < slowest.count && microseconds > slowest[last]
    }

    mutating func keep(_ microseconds: Int64, _ kind: RequestKind, _ place: Int?, _ answer: () -> SlowAnswer.Draft) {
        guard isSlow(kind, place, microseconds) else { return }
        let group = Self.group(place, kind)
        let times = group * Self.kept..<(group + 1) * Self.kept
        var place = times.upperBound - 1
        while place > times.lowerBound, slowest[place - 1] < microseconds {
            slowest[place] = slowest[place - 1]
            place -= 1
        }
        slowest[place] = microseconds
        let least = slowest[times.upperBound - 1]
        var kept = (drafts[group] ?? []).filter { $0.responseMicroseconds >= least }
        kept.append((microseconds, answer()))
        if kept.count > Self.kept, let first = kept.firstIndex(where: { $0.responseMicroseconds == least }) {
            kept.remove(at: first)
        }
        drafts[group] = kept
    }

    func answers(keyOf key: (_ place: Int) -> String) -> [SlowAnswer] {
        drafts.sorted { $0.key < $1.key }
            .flatMap { group, drafts in
                let breakKey = group < Self.kinds ? "" : key(group / Self.kinds - 1)
                return drafts.map { $0.answer(breakKey) }
            }
    }

    /// Keeps the thresholds.
    mutating func clear() { drafts.removeAll(keepingCapacity: true) }
}
