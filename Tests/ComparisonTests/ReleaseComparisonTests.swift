import Testing

@testable import Comparison

@Suite struct ReleaseComparisonTests {
    private func compare(
        _ base: [RunFigures],
        _ candidate: [RunFigures],
        _ options: ComparisonOptions = ComparisonOptions()
    ) -> ComparisonDocument {
        ReleaseComparison(options: options).compare(
            .init(inputs: ["base"], runs: base),
            against: .init(inputs: ["candidate"], runs: candidate)
        )
    }

    private let base = RunFixture.side(5, release: "1.4.1")

    private func candidate(_ factor: Double = 1, _ count: Int = 5) -> [RunFigures] {
        RunFixture.side(count, release: "1.4.2", factor: factor, first: 1)
    }

    @Test func runsOfOneKindAreNoRegression() {
        let document = compare(base, candidate())
        #expect(document.verdict.outcome == .noRegression, "\(document.verdict.reasons)")
        #expect(document.verdict.exitCode == 0)
        #expect(document.verdict.reasons.count == 3)
        #expect(document.base.title == "release=1.4.1")
        #expect(document.candidate.title == "release=1.4.2")
        #expect(document.method.unit == .run)
        #expect(document.withinRun == nil)
        #expect(document.notes.isEmpty, "the runs take turns")
    }

    @Test func slowerByMoreThanTheMarginIsARegression() throws {
        let document = compare(base, candidate(1.2))
        #expect(document.verdict.outcome == .regression)
        #expect(document.verdict.exitCode == 1)
        let metric = try #require(document.metrics.first)
        #expect(metric.metric == "pod_manifest.response.p50")
        #expect(metric.verdict == .regression)
        #expect(abs((metric.ratio ?? 0) - 1.2) < 0.01)
        #expect((metric.ratioLow ?? 0) > 1.05)
        // A perfect order of 5 and 5 has one chance in 252, three metrics are judged together.
        #expect(abs((metric.regressionAdjustedP ?? 0) - 3.0 / 252) < 1e-12)
        #expect(document.verdict.reasons.allSatisfy { !$0.contains("playlist") })
    }

    @Test func fasterByMoreThanTheMarginIsNamedAndPasses() {
        let document = compare(base, candidate(0.8))
        #expect(document.verdict.outcome == .noRegression)
        #expect(document.verdict.improvements.contains { $0.hasPrefix("pod_manifest.response.p50: -2") })
    }

    @Test func aChangeNearTheMarginIsInconclusiveAndSaysHowManyRunsWouldTell() throws {
        let document = compare(base, candidate(1.035))
        #expect(document.verdict.outcome == .inconclusive, "\(document.verdict.reasons)")
        #expect(document.verdict.exitCode == 3)
        let needed = try #require(document.verdict.runsNeededPerSide)
        #expect(needed > 5 && needed <= 100)
        #expect(document.verdict.reasons.first?.contains("about \(needed) runs on each side would tell") == true)
    }

    @Test func aRelativeChangeBelowTheFloorDoesNotCount() throws {
        let quick = base.map { scaled($0, by: 0.02) }
        let slower = candidate(1.5).map { scaled($0, by: 0.02) }
        let document = compare(quick, slower)
        #expect(document.verdict.outcome == .noRegression, "\(document.verdict.reasons)")
        let metric = try #require(document.metrics.first)
        #expect(abs(metric.appliedMarginPercent - 125) < 3, "1 ms of 0.8 ms: \(metric.appliedMarginPercent)")
        var options = ComparisonOptions()
        options.floorMicroseconds = 0
        #expect(compare(quick, slower, options).verdict.outcome == .regression)
    }

    private func scaled(_ run: RunFigures, by factor: Double) -> RunFigures {
        var run = run
        for (kind, requests) in run.requests {
            guard let latency = requests.latencies["response"] else { continue }
            run.requests[kind]?.latencies["response"] = RunFixture.latency(
                p50: Double(latency.p50Microseconds) * factor,
                p99: Double(latency.p99Microseconds) * factor
            )
        }
        return run
    }

    @Test func twoRunsASideDecideNothing() throws {
        let document = compare(Array(base.prefix(2)), candidate(1.5, 2))
        #expect(document.verdict.outcome == .inconclusive)
        #expect(document.metrics.first?.ratioLow == nil)
        let needed = try #require(document.verdict.runsNeededPerSide)
        #expect(needed >= 4, "with three gates not even a perfect order of 3 and 3 convinces")
    }

    @Test(arguments: [(0.1, 3), (0.05, 3), (0.0167, 4), (0.0143, 4), (0.01, 5), (0.004, 5), (0.003, 6)])
    func theFewestRunsThatCanConvince(probability: Double, runs: Int) {
        // 1/20, 1/70, 1/252 and 1/924 for 3 to 6 runs on each side; 1/6 for 2.
        #expect(RunsNeeded.least(probability: probability) == runs)
    }

    @Test func aNewFindingIsARegressionWhateverTheFiguresSay() throws {
        var worse = candidate(0.8)
        worse[3].findings = [RunFixture.finding("pod_mismatch")]
        let document = compare(base, worse)
        #expect(document.verdict.outcome == .regression)
        #expect(document.verdict.reasons.count == 1)
        #expect(document.verdict.reasons[0].hasPrefix("finding pod_mismatch is new: in 1 of 5 candidate runs"))
        #expect(document.findings.map(\.change) == [.new])
    }

    @Test func findingsOfBothSidesAllowedOnesAndGoneOnesDoNotFail() {
        var before = base
        before[0].findings = [RunFixture.finding("pod_mismatch"), RunFixture.finding("empty_pod")]
        var after = candidate()
        after[1].findings = [
            RunFixture.finding("pod_mismatch", count: 9), RunFixture.finding("new_one", allowed: true),
        ]
        let document = compare(before, after)
        #expect(document.verdict.outcome == .noRegression)
        #expect(document.findings.map(\.code) == ["new_one", "pod_mismatch", "empty_pod"])
        #expect(document.findings.map(\.change) == [.new, .persisting, .gone])
        #expect(
            document.verdict.improvements == ["finding empty_pod is gone: in 1 of 5 base runs, in no candidate run"]
        )
    }

    @Test func aFindingBeyondItsAllowanceIsARegression() {
        var (before, after) = (base, candidate(0.8))
        before[0].findings = [RunFixture.finding("playlist_stale", allowed: true)]
        after[1].findings = [RunFixture.finding("playlist_stale", allowed: true)]
        after[2].findings = [RunFixture.finding("playlist_stale", viewers: 400)]
        let document = compare(before, after)
        #expect(document.findings.map(\.change) == [.beyondAllowance])
        #expect(document.verdict.outcome == .regression)
        #expect(document.verdict.reasons.first?.hasPrefix("finding playlist_stale is beyond its allowance") == true)
        // What was beyond it before is no news.
        before[1].findings = [RunFixture.finding("playlist_stale", viewers: 400)]
        #expect(compare(before, after).findings.map(\.change) == [.persisting])
    }

    @Test func aFindingThatTouchesManyMoreViewersIsARegression() throws {
        var (before, after) = (base, candidate())
        for index in before.indices { before[index].findings = [RunFixture.finding("pod_mismatch", viewers: 2)] }
        for index in after.indices { after[index].findings = [RunFixture.finding("pod_mismatch", viewers: 480)] }
        let document = compare(before, after)
        let rate = try #require(document.rates.first { $0.metric == "findings.pod_mismatch.viewers" })
        #expect(rate.base.percent == 0.4 && rate.candidate.percent == 96)
        #expect(rate.verdict == .regression)
        #expect(document.verdict.outcome == .regression)
        for index in after.indices { after[index].findings = [RunFixture.finding("pod_mismatch", viewers: 2)] }
        #expect(compare(before, after).verdict.outcome == .noRegression)
    }

    @Test func anUndecidedRateNamesTheRunsThatWouldDecideIt() throws {
        var (before, after) = (base, candidate())
        for index in before.indices {
            before[index].breaks.onTime = 9_990
            after[index].breaks.onTime = index == 0 ? 9_800 : 9_990
        }
        let document = compare(before, after)
        let rate = try #require(document.rates.first { $0.metric == "breaks.on_time" })
        #expect(rate.verdict == .inconclusive)
        let needed = try #require(rate.runsNeededPerSide)
        #expect(needed > 5 && needed <= RunsNeeded.most)
        #expect(document.verdict.outcome == .inconclusive)
        #expect((document.verdict.runsNeededPerSide ?? 0) >= needed)
    }

    @Test func noNumberOfRunsDecidesWhatOneSideNeverMeasures() {
        var after = candidate()
        for index in after.indices { after[index].requests["asset_list"] = after[index].requests["playlist"] }
        let document = compare(base, after)
        #expect(document.verdict.outcome == .inconclusive)
        #expect(document.verdict.runsNeededPerSide == nil)
    }

    @Test func interstitialsThatFailMoreOftenAreARegression() throws {
        var (before, after) = (base, candidate())
        #expect(!compare(before, after).rates.contains { $0.metric == "events.failed" })
        for index in before.indices {
            before[index].events = .init(scheduled: 10_000, failed: 10)
            after[index].events = .init(scheduled: 10_000, failed: 400)
        }
        let document = compare(before, after)
        let rate = try #require(document.rates.first { $0.metric == "events.failed" })
        #expect(rate.verdict == .regression)
        #expect(document.verdict.outcome == .regression)
        after = after.map { run in
            var run = run
            run.events?.failed = 10
            return run
        }
        #expect(compare(before, after).verdict.outcome == .noRegression)
    }

    @Test func theSpreadOfNewsCanBeAGate() throws {
        let gate = try ComparedQuantile(named: "break_discovery.p99")
        #expect(gate.distribution == "break_discovery")
        var run = RunFixture.run(1)
        #expect(gate.microseconds(in: run) == nil)
        run.breaks.discovery = RunFixture.latency(p50: 2_000_000, p99: 5_900_000)
        #expect(gate.microseconds(in: run) == 5_900_000)
    }

    @Test func fewerViewersInTimeIsARegression() throws {
        var worse = candidate()
        for index in worse.indices { worse[index].breaks.onTime = 9_950 - UInt64(index) }
        let document = compare(base, worse)
        #expect(document.verdict.outcome == .regression)
        let rate = try #require(document.rates.first)
        #expect(rate.metric == "breaks.on_time")
        #expect(rate.verdict == .regression)
        #expect((rate.candidate.highPercent ?? 100) < 99.6)
        #expect(document.verdict.reasons == [rate.text])
    }

    @Test func fewerInTimeWithinTheToleranceIsNone() {
        var worse = candidate()
        for index in worse.indices { worse[index].breaks.onTime = 9_982 }
        let document = compare(base, worse)
        #expect(document.verdict.outcome == .noRegression, "\(document.verdict.reasons)")
    }

    @Test func oneBadRunOfFiveIsNotTheRelease() throws {
        var worse = candidate()
        worse[2].breaks.onTime = 9_500
        let document = compare(base, worse)
        #expect(document.verdict.outcome == .inconclusive)
        let rate = try #require(document.rates.first)
        #expect(rate.verdict == .inconclusive)
        #expect((rate.dispersion ?? 0) > 50)
    }

    @Test func moreErrorsAreARegressionAndFewerAnImprovement() {
        var worse = candidate()
        for index in worse.indices { worse[index].requests["playlist"]?.errors = 400 + UInt64(index) }
        #expect(compare(base, worse).verdict.reasons.first?.hasPrefix("playlist.errors: 0.01% to 0.8") == true)
        let better = compare(worse, base)
        #expect(better.verdict.outcome == .noRegression)
        #expect(better.verdict.improvements.contains { $0.hasPrefix("playlist.errors") })
    }

    @Test func aKindThatTheCandidateNoLongerAsksForIsNotPassedOver() {
        var silent = candidate()
        for index in silent.indices { silent[index].requests["playlist"] = nil }
        let document = compare(base, silent)
        #expect(document.verdict.outcome == .inconclusive)
        #expect(document.verdict.reasons.contains("playlist.errors was not measured on the candidate"))
        #expect(document.verdict.reasons.contains("playlist.response.p99 was not measured on the candidate"))
    }

    @Test func oneRunASideShowsItsBreaksAndDecidesNothing() throws {
        let document = compare([base[0]], [candidate(1.6)[0]])
        #expect(document.verdict.outcome == .inconclusive)
        #expect(document.verdict.reasons.first == WithinRunJudge.text)
        #expect(document.method.unit == .singleBreak)
        let within = try #require(document.withinRun)
        #expect(within.baseBreaks == 20)
        let slowest = try #require(within.figures.first)
        #expect(slowest.name == "slowest_response")
        #expect(slowest.changeLow <= slowest.change && slowest.change <= slowest.changeHigh)
        #expect(abs(slowest.change - 1.6) < 0.01)
        #expect(document == compare([base[0]], [candidate(1.6)[0]]), "the bootstrap is seeded")
    }

    @Test func oneRunASideFailsForANewFindingAllTheSame() {
        var worse = candidate(1, 1)
        worse[0].findings = [RunFixture.finding("empty_pod")]
        #expect(compare([base[0]], worse).verdict.outcome == .regression)
    }

    @Test func gatesAndMarginsAreTheUsers() throws {
        var options = ComparisonOptions()
        options.gates = [try ComparedQuantile(named: "pod_manifest.response.p95")]
        options.marginsPercent = ["pod_manifest.response.p95": 30]
        let document = compare(base, candidate(1.2), options)
        #expect(document.verdict.outcome == .noRegression)
        #expect(document.metrics.filter(\.gating).map(\.metric) == ["pod_manifest.response.p95"])
        #expect(document.metrics.contains { $0.metric == "pod_manifest.response.p50" && $0.verdict == .regression })
    }

    /// The meaning of response times changed with the second version of results; that of lateness did not.
    @Test func aGateWhoseMeaningChangedBetweenTheVersionsDecidesNothing() throws {
        let older = base.map { run in
            var run = run
            run.schemaVersion = 1
            return run
        }
        let words = "left out, its meaning changed between the versions: "
        let standard = compare(older, candidate()).verdict
        #expect(standard.outcome == .inconclusive && standard.runsNeededPerSide == nil)
        #expect(standard.reasons == ComparedQuantile.standardGates.map { words + $0.name })
        var options = ComparisonOptions()
        options.gates = [
            try ComparedQuantile(named: "pod_manifest.lateness.p99"),
            try ComparedQuantile(named: "pod_manifest.response.p95"),
        ]
        let named = compare(older.map(withLateness), candidate().map(withLateness), options)
        #expect(named.verdict.outcome == .inconclusive)
        #expect(named.verdict.reasons == [words + "pod_manifest.response.p95"])
        #expect(named.metrics.filter(\.gating).map(\.metric) == ["pod_manifest.lateness.p99"])
        options.gates = options.gates?.filter { $0.name.contains("lateness") }
        let kept = compare(older.map(withLateness), candidate().map(withLateness), options)
        #expect(kept.verdict.outcome == .noRegression, "\(kept.verdict.reasons)")
    }

    private func withLateness(_ run: RunFigures) -> RunFigures {
        var run = run
        let latency = run.requests["pod_manifest"]?.latencies["response"]
        run.requests["pod_manifest"]?.latencies["lateness"] = latency
        return run
    }

    @Test(arguments: [
        ("pod_manifest.respons.p99", "did you mean 'pod_manifest.response.p99'?"),
        ("all.response.p99", "name one kind"), ("breaks.on_time", "always judged"), ("findings.*", "always judged"),
    ])
    func aGateThatCannotBeSaysWhy(name: String, words: String) {
        let error = #expect(throws: ComparedQuantile.NameError.self) { try ComparedQuantile(named: name) }
        #expect("\(error.map(String.init(describing:)) ?? "")".contains(words))
    }
}
