import Capacity
import CapacityResult
import CapacityRuns
import JSON
import Testing

@Suite struct CapacityLedgerTests {
    private func answer(_ target: ScriptedTarget, _ document: CapacityDocument) -> CapacityAnswer {
        var ledger = CapacityLedger(document)
        ledger.search(target)
        return ledger.document.answer
    }

    // MARK: Going on

    @Test(arguments: [CapacityQuestion.Quantity.viewers, .jitter, .lead])
    func aLedgerReadBackAsksForTheSameNext(quantity: CapacityQuestion.Quantity) throws {
        let target = ScriptedTarget(capacity: quantity == .viewers ? 1_000 : 300, generator: 1_200)
        var ledger = CapacityLedger(.new(quantity, from: quantity == .viewers ? 100 : 4_000, ceiling: 4_000))
        for _ in 0..<20 {
            let again = CapacityLedger(try CapacityDocument(json: ledger.document.json()))
            #expect(again.next == ledger.next)
            #expect(again.document == ledger.document)
            guard case .run = ledger.next else { break }
            ledger.search(target, runs: 1)
        }
        #expect(ledger.document.runs.count > 3)
    }

    @Test(arguments: [1, 2, 3, 4]) func aSearchThatWasInterruptedGoesOn(runs: Int) throws {
        let target = ScriptedTarget(capacity: 1_000)
        var whole = CapacityLedger(.new())
        whole.search(target)
        var part = CapacityLedger(.new())
        part.search(target, runs: runs)
        part.end(.interrupted, reason: "interrupted")
        #expect(part.document.state == .interrupted)
        #expect(part.document.answer.reason?.hasPrefix("interrupted") == true)
        var going = try CapacityDocument(json: part.document.json())
        going.state = .running
        var rest = CapacityLedger(going)
        #expect(rest.document.answer.reason?.contains("interrupted") != true)
        rest.search(target)
        #expect(rest.document == whole.document)
    }

    @Test(arguments: 1...6) func aSearchThroughBreaksOfTheChannelGoesOn(runs: Int) throws {
        let (target, new) = (ScriptedTarget(capacity: 1_000), CapacityDocument.new(runs: 24, watchSeconds: 600))
        var whole = CapacityLedger(new)
        whole.search(target)
        var part = CapacityLedger(new)
        part.search(target, runs: runs)
        part.end(.interrupted, reason: "interrupted")
        var going = try CapacityDocument(json: part.document.json())
        #expect(going.asked.watchSeconds == 600)
        going.state = .running
        var rest = CapacityLedger(going)
        rest.search(target)
        #expect(rest.document == whole.document)
        #expect(rest.document.runs.allSatisfy { Set($0.sizes).count == 1 })
        #expect(rest.document.answer.kind == .found)
        #expect(try #require(rest.document.answer.lower) <= 1_000)
        #expect(try #require(rest.document.answer.upper) >= 1_000)
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
        var ledger = CapacityLedger(.new())
        ledger.search(ScriptedTarget(capacity: 1_000), runs: 1)
        ledger.end(.interrupted, reason: "interrupted")
        let answer = ledger.document.answer
        #expect(answer.kind == .found || answer.kind == .wide)
        #expect(try #require(answer.lower) < 1_000)
        #expect(try #require(answer.upper) > 1_000)
    }

    @Test func aNewSearchKnowsNothing() {
        let ledger = CapacityLedger(.new())
        #expect(ledger.document.answer.kind == .unknown)
        #expect(ledger.document.answer.text == "Nothing is known yet.")
        #expect(ledger.document.state == .running)
        guard case .run(.escalation, let sizes) = ledger.next else { return #expect(Bool(false)) }
        #expect(sizes.first == 100)
        #expect(sizes.last == 20_000)
    }

    @Test func whatRunsTookIsAddedUp() {
        var ledger = CapacityLedger(.new())
        ledger.search(ScriptedTarget(capacity: 1_000), runs: 2)
        #expect(ledger.document.runs.count == 2)
        #expect(ledger.document.search.spentSeconds == 140)
        #expect(ledger.document.search.endedAtMicroseconds == ledger.document.runs.last?.endedAtMicroseconds)
    }

    @Test func breaksOfAConfirmationThatWasCutOffConfirmNothing() throws {
        let target = ScriptedTarget(capacity: 1_000)
        var ledger = CapacityLedger(.new())
        while case .run(let kind, let sizes) = ledger.next, kind != .confirmation {
            ledger.add(target.run(kind, sizes, of: ledger.document.asked, at: 0), seconds: 1)
        }
        guard case .run(.confirmation, let sizes) = ledger.next else { return #expect(Bool(false)) }
        var cut = target.run(.confirmation, sizes, of: ledger.document.asked, at: 0)
        cut.breaks.removeLast(8)
        cut.endedBy = "all.errors > 50%"
        ledger.add(cut, seconds: 1)
        guard case .run = ledger.next else { return #expect(Bool(false)) }
    }

    // MARK: Answers

    @Test func aCapacityIsFoundAndSaidInWords() throws {
        let answer = answer(ScriptedTarget(capacity: 1_000), .new())
        #expect(answer.kind == .found)
        #expect(answer.reason == nil)
        #expect((960...1_040).contains(try #require(answer.value)))
        #expect(answer.text.hasSuffix("in 95% of breaks (90 % interval: \(ends(answer)))."))
        #expect(answer.text.contains(" viewers hold "))
        #expect(try #require(answer.lower) <= 1_000)
        #expect(try #require(answer.upper) >= 1_000)
    }

    private func ends(_ answer: CapacityAnswer) -> String {
        [answer.lower, answer.upper].map { CapacityQuestion.Quantity.viewers.number($0 ?? 0) }.joined(separator: " to ")
    }

    @Test func aSearchThatMayNotGoOnIsLessCertain() {
        let answer = answer(ScriptedTarget(capacity: 1_000), .new(runs: 1))
        #expect(answer.kind == .wide)
        #expect(answer.text.contains("90 % interval"))
    }

    @Test func whereEverythingHeldItIsAtLeastTheCeiling() {
        let answer = answer(ScriptedTarget(capacity: 1e9), .new(ceiling: 4_000))
        #expect(answer.kind == .atLeast)
        #expect(answer.value == 4_000)
        #expect(answer.upper == nil)
        #expect(answer.text == "At least 4,000 viewers hold; more was out of reach.")
        #expect(answer.reason == "everything held up to the ceiling (--ceiling)")
    }

    @Test func aCeilingOfTheMachinesIsSaidToBeOne() {
        let document = CapacityDocument.new(ceiling: 4_000, ceilingReason: "20,000 descriptors")
        let answer = answer(ScriptedTarget(capacity: 1e9), document)
        #expect(answer.kind == .atLeast)
        #expect(answer.reason == "the ceiling is that of this machine (20,000 descriptors); add machines")
    }

    @Test func aLimitedGeneratorIsNeverTakenForACapacity() throws {
        let answer = answer(ScriptedTarget(capacity: 1e9, generator: 700), .new())
        #expect(answer.kind == .atLeast)
        #expect(answer.upper == nil)
        #expect((500...700).contains(try #require(answer.value)))
        #expect(answer.reason == "podswarm or its machine was the limit beyond that: add machines")
    }

    @Test func aGeneratorThatIsLimitedFromTheStartKnowsNothing() {
        let answer = answer(ScriptedTarget(capacity: 1e9, generator: 0), .new())
        #expect(answer.kind == .unknown)
        #expect(answer.value == nil)
        #expect(answer.reason == "podswarm or its machine was the limit beyond that: add machines")
    }

    @Test func whereNothingHoldsNotEvenOneViewerDoes() {
        let answer = answer(ScriptedTarget(capacity: 0), .new())
        #expect(answer.kind == .below)
        #expect(answer.lower == nil)
        #expect(answer.text == "Not even the break of 1 viewer holds.")
        #expect(answer.reason == "nothing that was tried held")
    }

    @Test func theLeastJitterIsFoundFromAbove() throws {
        let answer = answer(ScriptedTarget(capacity: 300), .new(.jitter, from: 4_000, ceiling: 4_000, runs: 30))
        #expect(answer.kind == .found)
        #expect((285...320).contains(try #require(answer.value)))
        #expect(answer.text.hasPrefix("A jitter of "))
        #expect(answer.text.contains(" ms holds the breaks of 5,000 viewers in 95% of breaks"))
    }

    @Test func aJitterThatIsNeverNeededIsAtMostTheLeastThatWasTried() {
        let answer = answer(ScriptedTarget(capacity: 0.1), .new(.jitter, from: 4_000, ceiling: 4_000, runs: 30))
        #expect(answer.kind == .atLeast)
        #expect(answer.value == 1)
        #expect(answer.text == "A jitter of 1 ms holds the breaks of 5,000 viewers; less was not asked for.")
    }

    @Test func aLeadThatIsNeverEnoughIsSaidToBeNone() {
        let answer = answer(ScriptedTarget(capacity: 1e9), .new(.lead, from: 4_000, ceiling: 4_000, runs: 30))
        #expect(answer.kind == .below)
        #expect(answer.text == "Not even a lead of 4,000 ms holds the breaks of 5,000 viewers.")
    }

    // MARK: What else is known

    @Test func ofAudiencesPeakKneeAndLawAreTold() throws {
        var ledger = CapacityLedger(.new(from: 50))
        ledger.search(ScriptedTarget(capacity: 1_000))
        let document = ledger.document
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
        var ledger = CapacityLedger(.new(.jitter, from: 4_000, ceiling: 4_000))
        ledger.search(ScriptedTarget(capacity: 300), runs: 4)
        #expect(ledger.document.peak == nil)
        #expect(ledger.document.knee == nil)
        #expect(ledger.document.law == nil)
        #expect(ledger.document.projection == nil)
    }

    @Test func whereTheGeneratorWasTheLimitThereIsNoSpeedOfTheTargets() throws {
        var ledger = CapacityLedger(.new(from: 50))
        ledger.search(ScriptedTarget(capacity: 1e9, generator: 700))
        #expect(try #require(ledger.document.projection).measuredViewers <= 700)
        #expect(ledger.document.gaveFirst == nil)
    }

    @Test(arguments: [(1, "1"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-3, "0"), (0.6, "1")])
    func numbersAreWrittenAsPeopleDo(number: Double, text: String) {
        #expect(CapacityQuestion.Quantity.viewers.number(number) == text)
    }
}
