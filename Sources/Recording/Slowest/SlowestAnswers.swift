import Rules
import Values

/// Slowest answers of a run: for each kind the slowest of each break, and of these the slowest.
///
/// An answer omitted from a part is omitted from the whole, so that the order and repetition of additions do not matter.
package struct SlowestAnswers: Equatable, Sendable {
    /// Answers kept of one kind in one break, and of one kind outside any break.
    package static let perBreak = 3
    package static let perKind = 48

    private var kinds: [RequestKind: [SlowAnswer]] = [:]

    package init() {}

    package var isEmpty: Bool { kinds.isEmpty }

    /// Sorted in the order of kinds, slowest first within a kind.
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

    package mutating func add(_ other: SlowestAnswers) {
        for answer in other.all { add(answer) }
    }
}

extension SlowestAnswers: Codable, EmptyWhereMissing {
    package init(from decoder: any Decoder) throws {
        for answer in try [SlowAnswer](from: decoder) { add(answer) }
    }

    package func encode(to encoder: any Encoder) throws { try all.encode(to: encoder) }
}
