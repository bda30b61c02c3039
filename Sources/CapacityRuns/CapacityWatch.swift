package import CapacityResult
package import Console
package import Recording
package import RunJournal
import RunResult
import Synchronization
import Time

/// Judges the breaks of one run of a search while it goes, and ends it when it has shown what it was for.
package final class CapacityWatch: IntervalSink {
    private struct State {
        var judge: BreakJudge?
        var endMicroseconds: Int64 = 0
    }

    private let rule: HoldRule
    private let timing: BreakJudge.Timing
    private let endsAfterTwoMissed: Bool
    private let requests: RunRequests
    private let planned: @Sendable (_ offsetMicroseconds: Int64) -> Int
    private let tell: @Sendable (JudgedBreak) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - rule: What a break must be like to hold.
    ///   - timetable: Times and sizes of the run.
    ///   - timing: Times of its breaks.
    ///   - endsAfterTwoMissed: Whether two breaks in a row that did not hold end the run, as they do an escalation.
    ///   - requests: Of the run.
    ///   - tell: Told of each break that is over.
    package init(
        rule: HoldRule,
        timetable: RunTimetable,
        timing: BreakJudge.Timing,
        endsAfterTwoMissed: Bool,
        requests: RunRequests,
        tell: @escaping @Sendable (JudgedBreak) -> Void
    ) {
        self.rule = rule
        self.timing = timing
        self.endsAfterTwoMissed = endsAfterTwoMissed
        self.requests = requests
        self.tell = tell
        planned = { timetable.planned(at: .microseconds($0)) }
    }

    package func telling(
        _ interval: RunInterval,
        of collector: RunCollector
    ) -> @Sendable (_ isKept: Bool) -> Void {
        let news = state.withLock { state -> [JudgedBreak] in
            var judge = state.judge ?? self.judge(collector.settings)
            // One reference, so that it is changed where it stands.
            state.judge = nil
            let known = judge.over.count
            judge.add(interval)
            state.endMicroseconds = interval.endMicroseconds
            let news = Array(judge.over[known...])
            if endsAfterTwoMissed, judge.over.suffix(2).count(where: { $0.outcome != .held }) == 2 {
                requests.stop(.stopped(CapacityRunResult.twoMissed))
            }
            state.judge = judge
            return news
        }
        for judged in news { tell(judged) }
        return { _ in }
    }

    private func judge(_ settings: CollectorSettings) -> BreakJudge {
        BreakJudge(
            rule: rule,
            timing: timing,
            generator: BreakJudge.Generator(
                budget: settings.budget,
                loopCores: settings.loopCores,
                descriptorLimit: settings.descriptorLimit
            ),
            personaNames: settings.personas?.map(\.name) ?? [],
            runStartMicroseconds: settings.run.startedAtMicroseconds,
            planned: planned
        )
    }

    /// The breaks that can be judged, once the run is over.
    package var breaks: [JudgedBreak] {
        state.withLock { $0.judge?.all(ofRunUntil: $0.endMicroseconds) ?? [] }
    }

    package func rotate() {}

    package var problems: [String] { [] }
}
