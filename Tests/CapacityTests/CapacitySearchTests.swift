import Foundation
import Results
import TestSupport
import Testing

@testable import Comparison

@Suite struct CapacitySearchTests {
    private func target(_ seed: UInt64 = 5, _ change: (inout SimulatedTarget) -> Void = { _ in }) -> SimulatedTarget {
        var target = SimulatedTarget(seed: seed)
        change(&target)
        return target
    }

    struct Search: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let asked: CapacityQuestion
        /// Viewers that the target holds in half of its breaks.
        let middle: Double
        let change: @Sendable (inout SimulatedTarget) -> Void

        init(
            _ name: String,
            _ asked: CapacityQuestion,
            middle: Double = 1_000,
            change: @escaping @Sendable (inout SimulatedTarget) -> Void = { _ in }
        ) { (testDescription, self.asked, self.middle, self.change) = (name, asked, middle, change) }
    }

    static let searches = [
        Search("everything holds", .asked(upTo: 5_000, from: 500), middle: 1e9),
        Search("even the floor is missed", .asked(floor: 10, upTo: 5_000, from: 500), middle: 1),
        Search("a start beyond the capacity", .asked(upTo: 5_000, from: 2_000, runs: 20), middle: 40),
        // Requests that cannot be made are missed here only for the generator.
        Search("a limited generator", .asked(upTo: 50_000, from: 500), middle: 1e9) { $0.generatorLimit = 1_800 },
        Search("noise beyond measure", .asked(upTo: 50_000, from: 20, runs: 9)) {
            ($0.betweenRuns, $0.betweenBreaks) = (0.5, 0.7)
        },
        Search("few viewers", .asked(upTo: 500), middle: 6),
        Search(
            "one size a run, and more is easier",
            .asked(.jitter, upTo: 60_000, from: 245, runs: 16),
            middle: 750
        ) { $0.isHarderWithMore = false },
    ]

    @Test(arguments: searches) func itsEndIsPinnedAndItsIntervalHoldsTheTruth(of tried: Search) throws {
        var target = target { $0.middle = tried.middle }
        tried.change(&target)
        var search = CapacityDocument(tried.asked, seed: 1)
        let cause = search.finish(on: &target)
        let estimate = search.estimate
        let figures = [estimate.answer.lower, estimate.answer.value, estimate.answer.upper].map {
            $0.map { "\($0.rounded())" } ?? "none"
        }
        let lines = [
            "\(cause), \(estimate.answer.kind), \(estimate.reason)",
            "\(figures.joined(separator: ", ")) after \(search.runs.count) runs",
            "sizes: \(search.runs.map { $0.sizes.map { "\($0)" }.joined(separator: " ") }.joined(separator: "; "))",
        ]
        let name = tried.testDescription.replacing(", ", with: "-").replacing(" ", with: "-")
        try GoldenFile.expect(lines.map { $0 + "\n" }.joined(), at: "Tests/CapacityTests/Goldens/\(name).txt")
        guard estimate.answer.kind == .found else { return }
        let truth = tried.middle * target.truthOverMiddle
        #expect((try #require(estimate.answer.lower)...(try #require(estimate.answer.upper))).contains(truth))
    }

    // MARK: Step by step

    /// One size in a run: few breaks tell that it is held, and nothing is asked that is far larger.
    private static func ofRuns(from start: Double = 100) -> CapacityQuestion {
        .asked(floor: 10, upTo: 1_500, from: start, runs: 24, breaksPerRun: 5, ofChannel: true)
    }

    /// Searches and their runs: sizes that held (+), were missed (-) or were not made (x), of a run that is whole or was cut.
    private static let scripts: [(name: String, asked: CapacityQuestion, runs: [String])] = [
        ("a quarter more each time", .asked(upTo: 20_000, from: 100), []),
        ("up to a thousand", .asked(upTo: 1e3), []),
        ("up to a million", .asked(upTo: 1e6), []),
        ("up to a trillion", .asked(upTo: 1e12), []),
        (
            "not beyond what the generator made", .asked(upTo: 50_000, from: 500),
            ["escalation 500+ 625+ 781+ 976x 1221x"]
        ),
        (
            "breaks soon after one that was missed", .asked(upTo: 50_000),
            ["search 100+ 100- 100- 100+ 100+ 100+"]
        ),
        (
            "an escalation that was interrupted", .asked(upTo: 50_000, from: 100),
            ["escalation 100+ 125+ 156+ cut"]
        ),
        (
            "twice as much in each run", ofRuns(),
            [100, 200, 400, 800, 1_500].map { "escalation \($0)+ \($0)+" }
        ), ("with a break less", ofRuns(), ["escalation 100+"]),
        ("until the second is missed", ofRuns(), ["escalation 100+ 100+", "escalation 200+ 200-"]),
        ("or the first", ofRuns(), ["escalation 100+ 100+", "escalation 200- 200+"]),
        ("or both", ofRuns(), ["escalation 100+ 100+", "escalation 200- 200-"]),
        (
            "a quarter as much where nothing held", ofRuns(from: 200),
            [200, 50, 13, 10].map { "escalation \($0)- \($0)-" }
        ),
    ]

    @Test func whatIsAskedForNextIsPinned() throws {
        let outcomes: [Character: JudgedBreak.Outcome] = ["+": .held, "-": .missed, "x": .censored]
        func run(_ text: String) throws -> CapacityRunResult {
            let words = text.split(separator: " ")
            let kind = try #require(CapacityRunResult.Kind(rawValue: String(words[0])))
            let breaks = try words.dropFirst().filter { $0 != "cut" }.map { word in
                (try #require(Double(word.dropLast())), try #require(word.last.flatMap { outcomes[$0] }))
            }
            var run = CapacityRunResult(kind, breaks)
            run.endedBy = words.last == "cut" ? "cut" : nil
            return run
        }
        func known(_ search: CapacityDocument) -> String {
            let known = Knowledge(search.asked, search.runs)
            let (step, estimate) = (known.next(seed: 1), known.estimate)
            let sizes = step.sizes.map { " \(Int($0))" }.joined()
            let value = estimate.answer.value.map { "\(Int($0.rounded()))" } ?? "none"
            let breaks = search.breaks.count
            let counted = search.runs.reduce(0) { $0 + search.asked.trials(of: $1).evidence.count }
            return
                "    \(estimate.answer.kind), \(estimate.reason), \(value), \(breaks - counted) of \(breaks) left out;"
                + " next \(step.kind.map { "\($0)" } ?? "nothing"):\(sizes)\n"
        }
        let texts = try Self.scripts.map { script in
            var search = CapacityDocument(script.asked, seed: 1)
            var text = "\(script.name)\n\(known(search))"
            for line in script.runs {
                search.runs.append(try run(line))
                text += "  \(line)\n\(known(search))"
            }
            return text
        }
        try GoldenFile.expect(texts.joined(separator: "\n"), at: "Tests/CapacityTests/Goldens/next.txt")
    }

    @Test func aGeneratorThatIsTheLimitOfEverythingEndsTheSearch() {
        var search = CapacityDocument(.asked(floor: 100, upTo: 50_000, from: 1_000), seed: 1)
        while case .run(let kind, let sizes) = search.next {
            search.runs.append(CapacityRunResult(kind, sizes.prefix(2).map { ($0, .censored) }))
        }
        #expect(search.runs.count < 12)
        #expect((search.estimate.answer.kind, search.estimate.reason) == (.unknown, .generatorLimited))
    }

    @Test func theSeedDecidesTheSizes() {
        let runs = ([1, 1, 2] as [UInt64]).map { seed in
            var target = target()
            var search = CapacityDocument(.asked(upTo: 50_000, from: 200), seed: seed)
            _ = search.finish(on: &target)
            return search.runs
        }
        #expect(runs[0] == runs[1])
        #expect(runs[0] != runs[2])
    }

    private func toConfirm() -> (search: CapacityDocument, sizes: [Double]) {
        var target = target()
        var search = CapacityDocument(.asked(upTo: 50_000, from: 200), seed: 1)
        while case .run(let kind, let sizes) = search.next, kind != .confirmation {
            search.runs.append(target.run(kind, sizes))
        }
        let next = search.next
        #expect(next.kind == .confirmation)
        return (search, next.sizes)
    }

    @Test func aConfirmationThatContradictsIsSaidAndSearchedOn() throws {
        let (started, sizes) = toConfirm()
        var search = started
        #expect(Set(sizes).count == 1)
        let before = try #require(search.estimate.answer.value)
        // Every second, because those right after a missed one do not count.
        search.runs.append(
            CapacityRunResult(
                .confirmation,
                sizes.enumerated().map { (($1 / 2).rounded(), $0 % 3 == 0 ? .missed : .held) }
            )
        )
        #expect(try #require(search.estimate.answer.value) < before)
        #expect(search.next.kind != nil, "it does not end on a contradiction")
    }

    @Test func aConfirmationOfALimitedGeneratorConfirmsNothing() {
        let (started, sizes) = toConfirm()
        var search = started
        search.runs.append(CapacityRunResult(.confirmation, sizes.map { ($0, .censored) }))
        #expect(search.next.kind == .confirmation, "it is asked again")
    }

    @Test(arguments: [0, -1, .nan, .infinity, 1e-300, 1e300] as [Double])
    func whatIsReadFromAFileNeverTraps(value: Double) {
        for (quantity, isOfChannel) in [(CapacityQuestion.Quantity.viewers, false), (.viewers, true), (.jitter, false)]
        {
            let breaks = value == 0 ? 0 : 3
            var asked = CapacityQuestion.asked(
                quantity,
                floor: value,
                upTo: value,
                runs: 4,
                breaksPerRun: breaks,
                ofChannel: isOfChannel
            )
            (asked.withinPercent, asked.sharePercent) = (value * 100, value * 100)
            var search = CapacityDocument(asked, seed: 1)
            for kind in [CapacityRunResult.Kind.escalation, .search, .confirmation] {
                for outcome in [JudgedBreak.Outcome.held, .missed, .censored] {
                    search.runs.append(CapacityRunResult(kind, [(value, outcome)]))
                    let known = Knowledge(asked, search.runs)
                    _ = (known.next(seed: 1), known.estimate)
                }
            }
            #expect(search.next.kind == nil, "it ends")
        }
    }
}

extension CapacityStep {
    fileprivate var kind: CapacityRunResult.Kind? { if case .run(let kind, _) = self { kind } else { nil } }

    fileprivate var sizes: [Double] { if case .run(_, let sizes) = self { sizes } else { [] } }
}
