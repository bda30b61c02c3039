import Comparison
import Rehearsal
import Results
import TestSupport
import Testing
import Values

@Suite struct CapacityDocumentTests {
    // MARK: Going on

    @Test(arguments: [CapacityQuestion.Quantity.viewers, .jitter, .lead])
    func aSearchReadBackAsksForTheSameNext(quantity: CapacityQuestion.Quantity) throws {
        let target = ScriptedTarget(capacity: quantity == .viewers ? 1_000 : 300, generator: 1_200)
        var search = CapacityDocument.new(quantity, from: quantity == .viewers ? 100 : 4_000, ceiling: 4_000)
        for _ in 0..<20 {
            var again = try CapacityDocument(json: search.json())
            again.conclude()
            #expect((again.next, again) == (search.next, search))
            guard case .run = search.next else { break }
            search.finish(on: target, runs: 1)
        }
        #expect(search.runs.count > 3)
    }

    /// Through breaks of the viewers' own, and of the channel.
    @Test(arguments: [nil, 600], 1...6) func aSearchThatWasInterruptedGoesOn(watchSeconds: Double?, runs: Int) throws {
        let target = ScriptedTarget(capacity: 1_000)
        let new = CapacityDocument.new(runs: watchSeconds == nil ? 12 : 24, watchSeconds: watchSeconds)
        var whole = new
        whole.finish(on: target)
        var part = new
        part.finish(on: target, runs: runs)
        part.end(.interrupted, reason: "interrupted")
        #expect(part.state == .interrupted)
        #expect(part.answer.reason?.hasPrefix("interrupted") == true)
        var rest = try CapacityDocument(json: part.json())
        #expect(rest.asked.watchMaximumSeconds == watchSeconds)
        rest.state = .running
        rest.conclude()
        #expect(rest.answer.reason?.contains("interrupted") != true)
        rest.finish(on: target)
        #expect(rest == whole)
        guard watchSeconds != nil else { return }
        #expect(rest.runs.allSatisfy { Set($0.sizes).count == 1 })
        #expect(rest.answer.kind == .found)
        #expect(try #require(rest.answer.lower) <= 1_000)
        #expect(try #require(rest.answer.upper) >= 1_000)
    }

    /// Whatever number of a search's file was changed, it is named; what a search writes is not.
    @Test func absurdNumbersAreNamed() {
        var good = CapacityDocument.new()
        good.finish(on: ScriptedTarget(capacity: 1_000), runs: 2)
        #expect(good.absurdity == nil)
        func named(_ change: (inout CapacityDocument) -> Void) -> String? {
            var changed = good
            change(&changed)
            return changed.absurdity?.split(separator: " ").first.map(String.init)
        }
        #expect(named { $0.search.spentSeconds = -1 } == "search.spent_s")
        #expect(named { $0.search.endedAtMicroseconds = .max } == "search.ended_at_us")
        #expect(named { $0.runs[1].sizes[0] = 1e300 } == "runs[1].sizes[0]")
        #expect(named { $0.runs[1].startedAtMicroseconds = .min } == "runs[1].started_at_us")
        #expect(named { $0.runs[0].breaks[1].planned = -5 } == "runs[0].breaks[1].planned")
        #expect(named { $0.runs[0].breaks[0].due = .max } == "runs[0].breaks[0].due")
        #expect(named { $0.runs[0].breaks[0].failed["x"] = .max } == "runs[0].breaks[0].failed.x")
        #expect(named { $0.runs[0].breaks[0].servedPerSecond = -1 } == "runs[0].breaks[0].served_per_s")
        let count = "runs[0].breaks[0].requests[0].count"
        #expect(named { $0.runs[0].breaks[0].requests[0].count = .max } == count)
    }

    @Test func aRunThatHasSeenEnoughIsWhole() {
        var run = ScriptedTarget(capacity: 1_000).run(.search, [500, 500], of: CapacityDocument.new().asked, at: 0)
        for (endedBy, isWhole) in [
            (nil, true), (CapacityRunResult.enoughSeen, true), (CapacityRunResult.twoMissed, true),
            ("all.errors > 50%", false),
        ] {
            run.endedBy = endedBy
            #expect(run.isWhole == isWhole)
        }
    }

    @Test func whatWasKnownWhenItWasInterruptedHasItsInterval() throws {
        var search = CapacityDocument.new()
        search.finish(on: ScriptedTarget(capacity: 1_000), runs: 1)
        search.end(.interrupted, reason: "interrupted")
        let answer = search.answer
        #expect(answer.kind == .found || answer.kind == .wide)
        #expect(try #require(answer.lower) < 1_000)
        #expect(try #require(answer.upper) > 1_000)
    }

    @Test func whatRunsTookIsAddedUp() {
        var search = CapacityDocument.new()
        search.finish(on: ScriptedTarget(capacity: 1_000), runs: 2)
        #expect((search.runs.count, search.search.spentSeconds) == (2, 140))
        #expect(search.search.endedAtMicroseconds == search.runs.last?.endedAtMicroseconds)
    }

    @Test func breaksOfAConfirmationThatWasCutOffConfirmNothing() throws {
        let target = ScriptedTarget(capacity: 1_000)
        var search = CapacityDocument.new()
        while case .run(let kind, let sizes) = search.next, kind != .confirmation {
            search.add(target.run(kind, sizes, of: search.asked, at: 0), seconds: 1)
        }
        guard case .run(.confirmation, let sizes) = search.next else { return #expect(Bool(false)) }
        var cut = target.run(.confirmation, sizes, of: search.asked, at: 0)
        cut.breaks.removeLast(8)
        cut.endedBy = "all.errors > 50%"
        search.add(cut, seconds: 1)
        guard case .run = search.next else { return #expect(Bool(false)) }
    }

    // MARK: Answers

    struct Search: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let target: ScriptedTarget
        let document: CapacityDocument
        let runs: Int

        init(
            _ name: String,
            _ capacity: Double,
            generator: Double = .infinity,
            _ document: CapacityDocument = .new(),
            runs: Int = 100
        ) {
            (testDescription, self.document, self.runs) = (name, document, runs)
            target = ScriptedTarget(capacity: capacity, generator: generator)
        }
    }

    private static let jitter = CapacityDocument.new(.jitter, from: 4_000, ceiling: 4_000, runs: 30)

    static let searches = [
        Search("not begun", 1_000, runs: 0), Search("found", 1_000), Search("one run", 1_000, .new(runs: 1)),
        Search("no limit", 1e9, .new(ceiling: 4_000)),
        Search("no limit but the machine's", 1e9, .new(ceiling: 4_000, ceilingReason: "20,000 descriptors")),
        Search("limited generator", 1e9, generator: 700), Search("generator of nothing", 1e9, generator: 0),
        Search("nothing holds", 0), Search("jitter", 300, jitter), Search("jitter never needed", 0.1, jitter),
        Search("lead never enough", 1e9, .new(.lead, from: 4_000, ceiling: 4_000, runs: 30)),
    ]

    @Test(arguments: searches) func itsAnswerIsPinned(of search: Search) throws {
        var document = search.document
        if search.runs > 0 { document.finish(on: search.target) }
        let answer = document.answer
        let figures = [answer.lower, answer.value, answer.upper].map { $0.map { "\($0.rounded())" } ?? "none" }
        let lines = ["\(answer.kind.rawValue), \(figures.joined(separator: ", "))", answer.text, answer.reason ?? "-"]
        let name = search.testDescription.replacing(" ", with: "-").replacing("'", with: "")
        let path = "Tests/CapacityRunsTests/Goldens/\(name).txt"
        try GoldenFile.expect(lines.map { $0 + "\n" }.joined(), at: path)
    }

    // MARK: What else is known

    @Test func ofAudiencesPeakKneeAndLawAreTold() throws {
        var document = CapacityDocument.new(from: 50)
        document.finish(on: ScriptedTarget(capacity: 1_000))
        let peak = try #require(document.peak)
        #expect(Double(peak.viewers) <= document.answer.value ?? 0)
        #expect(peak.podRequestsPerSecond == Double(peak.viewers) / 2)
        #expect(peak.requestsPerSecond == Double(peak.viewers) * 2)
        let law = try #require(document.law)
        #expect((950...1_050).contains(try #require(law.peakViewers).value))
        #expect((475...525).contains(try #require(law.peakPerSecond).value))
        let knee = try #require(document.knee)
        #expect(knee.kind == "pod_manifest")
        let projection = try #require(document.projection)
        #expect(projection.viewers == 2 * projection.measuredViewers)
        #expect(document.gaveFirst?.form == .latency)
    }

    @Test func ofATimeNoneOfThemIs() {
        var search = CapacityDocument.new(.jitter, from: 4_000, ceiling: 4_000)
        search.finish(on: ScriptedTarget(capacity: 300), runs: 4)
        #expect((search.peak, search.knee, search.law) == (nil, nil, nil))
        #expect(search.projection == nil)
    }

    @Test func whereTheGeneratorWasTheLimitThereIsNoSpeedOfTheTargets() throws {
        var search = CapacityDocument.new(from: 50)
        search.finish(on: ScriptedTarget(capacity: 1e9, generator: 700))
        #expect(try #require(search.projection).measuredViewers <= 700)
        #expect(search.gaveFirst == nil)
    }

    @Test(arguments: [(1, "1"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-3, "0"), (0.6, "1")])
    func numbersAreWrittenAsPeopleDo(number: Double, text: String) {
        #expect(GroupedDigits.text(rounding: number) == text)
    }
}
