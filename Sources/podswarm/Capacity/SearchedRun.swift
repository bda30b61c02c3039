import Capacity
import CapacityResult
import CapacityRuns
import Console
import LoadProfile
import Rehearsal
import RunResult
import Thresholds

/// One run of a search, as it is to be made.
struct SearchedRun {
    let kind: CapacityRun.Kind
    let sizes: [Double]
    let course: RunCourse
    let plan: LoadPlan

    /// - Parameters:
    ///   - setup: Of the search.
    ///   - kind: What the run is for.
    ///   - sizes: Of the quantity, one for each break.
    init(_ setup: SearchSetup, _ kind: CapacityRun.Kind, _ sizes: [Double]) {
        self.kind = kind
        self.sizes = sizes
        course = setup.searched.course(sizes)
        plan = setup.searched.run(course, value: setup.question.quantity == .viewers ? nil : sizes.first)
    }

    /// What judges its breaks.
    ///
    /// - Parameters:
    ///   - setup: Of the search.
    ///   - shards: How many processes make the run.
    ///   - requests: Of the run, which it may end.
    ///   - output: Told of each break.
    /// - Returns: To be handed the intervals of the run.
    func watch(_ setup: SearchSetup, shards: Int = 1, requests: RunRequests, output: RunOutput) -> CapacityWatch {
        CapacityWatch(
            rule: setup.rule,
            course: course,
            timing: setup.searched.timing(of: plan),
            countsSilent: setup.searched.countsSilent,
            shards: shards,
            endsAfterTwoMissed: kind == .escalation || setup.asksOfChannel && setup.question.quantity == .viewers,
            requests: requests
        ) { output.note($0.line) }
    }

    /// How the run counts for the search.
    ///
    /// - Parameters:
    ///   - run: As it was.
    ///   - breaks: As they were judged.
    ///   - file: Of its result, from the folder of the search's file.
    ///   - endedBy: Why it ended before its time; nil where it did not.
    /// - Returns: With the breaks that the target lost altogether.
    func result(
        _ run: RunDescription,
        breaks: [JudgedBreak],
        file: String,
        endedBy: String?
    ) -> CapacityRunResult {
        CapacityRunResult(
            kind: CapacityRunResult.Kind(rawValue: kind.rawValue) ?? .search,
            startedAtMicroseconds: run.startedAtMicroseconds,
            endedAtMicroseconds: run.endedAtMicroseconds,
            sizes: sizes,
            result: file,
            endedBy: endedBy,
            breaks: course.withLost(
                breaks,
                start: run.startedAtMicroseconds,
                end: run.endedAtMicroseconds,
                grace: plan.breaks.grace,
                abortedBy: run.abortedBy
            )
        )
    }
}

extension JudgedBreak {
    /// What became of it, as it is told while a search goes on.
    fileprivate var line: String {
        let share = onTimePercent.map { " (\(MetricText.percent($0)) on time)" } ?? ""
        let why = outcome == .held ? "" : ": " + (outcome == .censored ? limits : broken).joined(separator: "; ")
        return "  \(planned) viewers: \(outcome.rawValue)\(share)\(why)"
    }
}
