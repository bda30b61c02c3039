import ExampleRuns
import Results
import Rules

/// A run whose seconds are made up: what viewers did on its loops, and how the generator fared meanwhile.
struct MadeUpRun {
    static let timing = BreakGathering.Timing(
        leadMicroseconds: 1_000_000,
        graceMicroseconds: 2_000_000,
        patienceMicroseconds: 10_000_000
    )

    let recorders: [LoopRecorder]
    private let judge: BreakJudge
    private var gathering: BreakGathering
    private var over: [(second: Int, judged: JudgedBreak)] = []
    /// Whole seconds that are over.
    private var seconds = 0

    init(
        loops: Int = 1,
        rule: HoldRule = HoldRule(ofProfile: []),
        countsSilent: Bool = true,
        timing: BreakGathering.Timing = MadeUpRun.timing,
        planned: @escaping @Sendable (_ offsetMicroseconds: Int64) -> Int = { _ in 0 }
    ) {
        recorders = (0..<loops).map { _ in LoopRecorder() }
        judge = BreakJudge(
            rule: rule,
            countsSilent: countsSilent,
            runStartMicroseconds: ExampleRun.start,
            planned: planned
        )
        gathering = BreakGathering(
            timing: timing,
            generator: HealthResult(loopCores: loops, descriptorLimit: 20_000),
            runStartMicroseconds: ExampleRun.start
        )
    }

    /// A run to which viewers come in its first second, and in whose 20th something happens; to the end of its 40th.
    static func at20(
        joined: Int = 100,
        planned: Int? = nil,
        rule: HoldRule = HoldRule(ofProfile: []),
        countsSilent: Bool = true,
        until end: Int = 40,
        health: (Int, inout HealthSample) -> Void = { _, _ in },
        _ deeds: (LoopRecorder) -> Void
    ) -> MadeUpRun {
        let planned = planned ?? joined
        var run = MadeUpRun(rule: rule, countsSilent: countsSilent) { _ in planned }
        for second in 0..<end {
            run.second { recorders in
                if second == 0 { recorders[0].count(.joined, by: UInt64(joined)) }
                if second == 20 { deeds(recorders[0]) }
            } health: {
                health(second, &$0)
            }
        }
        return run
    }

    /// Outcomes of its breaks with their seconds, and the judgement if it ends now.
    var text: String {
        let rest = gathering.rest.compactMap { judge.judge([(nil, $0)]) }
        let all = over.map { "  after \($0.second) s: \($0.judged.lines)" } + rest.map { "  at its end: \($0.lines)" }
        return all.isEmpty ? "  nothing to judge\n" : all.joined()
    }

    /// Lets a second pass, in which viewers do `deeds`; `change` is of the generator's health.
    mutating func second(
        _ deeds: ([LoopRecorder]) -> Void = { _ in },
        health change: (inout HealthSample) -> Void = { _ in }
    ) {
        deeds(recorders)
        let end = ExampleRun.start + Int64(seconds + 1) * 1_000_000
        var health = HealthSample(wallMicroseconds: end)
        health.openDescriptors = 30
        change(&health)
        let interval = RunInterval(second: seconds, of: recorders, health: health)
        seconds += 1
        over += gathering.add(interval).compactMap { judge.judge([(nil, $0)]) }.map { (seconds, $0) }
    }

    /// Lets seconds pass in which nothing happens.
    mutating func idle(until second: Int) { while seconds < second { self.second() } }
}

extension JudgedBreak {
    /// All that is known of it, but nothing where there is nothing to know.
    fileprivate var lines: String {
        func counts(_ counts: [String: UInt64]) -> String {
            counts.sorted { $0.key < $1.key }.map { " \($0.key) \($0.value)" }.joined()
        }
        let asked = requests.map {
            "\($0.count) \($0.kind), p99 \($0.p99Microseconds ?? 0) us,"
                + " errors \($0.errors.values.reduce(0, +)):\(counts($0.errors))"
        }
        let answered = edges.map {
            "\($0.count) by \($0.address) '\($0.pop)', p99 \($0.p99Microseconds ?? 0) us, errors \($0.errors)"
        }
        let peaks = "at most \(peakRequestsPerSecond) in a second, \(peakPodRequestsPerSecond) of them of pods"
        let served = servedPerSecond.map { ["\(Int($0.rounded())) served in a second"] } ?? []
        let more =
            (failed.isEmpty ? [] : ["failed:\(counts(failed))"])
            + (skipped.isEmpty ? [] : ["skipped:\(counts(skipped))"]) + broken.map { "broken: \($0)" }
            + limits.map { "limit: \($0)" } + served + asked + answered + (requests.isEmpty ? [] : [peaks])
        return "\(key) at \((startMicroseconds - ExampleRun.start) / 1_000_000) s \(outcome.rawValue)\n"
            + "    \(planned) planned, \(watching) watching, \(due) due, \(onTime) on time, \(late) late,"
            + " \(unresolved) unresolved\n" + more.map { "    \($0)\n" }.joined()
    }
}

extension LoopRecorder {
    /// Its number for the break that begins at this second of the run.
    func slot(ofBreakAt second: Int, meeting: BreakMeeting = .individual) -> BreakSlot {
        breakSlot(
            for: "break \(second)",
            start: ExampleRun.start + Int64(second) * 1_000_000,
            durationMilliseconds: 10_000,
            meeting: meeting
        )
    }

    /// Viewers that ask for a break's pod, one each millisecond from its start on, and what comes of each.
    func serve(breakAt second: Int, onTime: Int = 0, late: Int = 0, failed: Int = 0, unresolved: Int = 0) {
        let slot = slot(ofBreakAt: second)
        let begin = ExampleRun.start + Int64(second) * 1_000_000
        for viewer in 0..<(onTime + late + failed + unresolved) {
            viewerDue(slot)
            podRequested(
                slot,
                identifier: "pod/\(second)",
                viewer: viewer,
                wallMicroseconds: begin + Int64(viewer) * 1_000
            )
            switch viewer {
            case ..<onTime: viewerOnTime(slot, inHandAfterStart: Int64(viewer) * 1_000_000)
            case ..<(onTime + late): viewerLate(slot, lateness: 3_000_000_000)
            case ..<(onTime + late + failed): viewerFailed(slot, .podManifestFailed)
            default: break
            }
        }
    }

    /// Requests that were answered so long after they were planned.
    func ask(
        _ kind: RequestKind,
        count: Int = 1,
        outcome: Outcome = .status(200),
        milliseconds: Int64 = 20,
        edge: Edge? = nil
    ) {
        let slot = edge.map { edgeSlot(of: $0) } ?? EdgeSlot.none
        let sample = RequestSample.ended(outcome, kind, after: milliseconds * 1_000, edgeSlot: slot)
        for _ in 0..<count { record(sample) }
    }
}
