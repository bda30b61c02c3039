import Foundation
import Results
import TestSupport

/// The smallest run that a journal can be kept of: intervals are numbers, and the state is their sum and count.
enum TinyRun {
    struct State: JournalledState, Equatable {
        var count = 0
        var sum = 0
        var last = ""
        var isEmpty: Bool { false }

        mutating func fold(_ interval: TinyRun.Interval) {
            count += 1
            sum &+= interval.amount
            last = interval.text
        }

        func folding(_ intervals: some Sequence<TinyRun.Interval>) -> State {
            intervals.reduce(into: self) { $0.fold($1) }
        }
    }

    struct Interval: Codable, Equatable, JournalInterval {
        var amount: Int
        var text: String

        var isQuiet: Bool { text != "busy" }
    }

    typealias Recovered = RecoveredJournal<State>

    static func intervals(_ count: Int, seed: UInt64) -> [Interval] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            let text = (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
                Character(Unicode.Scalar(UInt8.random(in: 1..<128, using: &generator)))
            }
            return Interval(amount: Int.random(in: -1_000_000...1_000_000, using: &generator), text: String(text))
        }
    }

    static func recover(_ file: URL, isBrief: Bool = false) throws(JournalReadingError) -> Recovered {
        try Recovered(of: file, isBrief: isBrief)
    }

    static func recover(_ bytes: Data, isBrief: Bool = false) throws -> Recovered {
        try TemporaryFolder.lending { folder in
            try folder.write(bytes, to: "run.journal")
            return try recover(folder.file("run.journal"), isBrief: isBrief)
        }
    }
}
