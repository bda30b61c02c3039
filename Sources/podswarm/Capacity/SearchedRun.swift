import Profile
import Rehearsal
import Results
import Rules

/// Planned run of a search.
struct SearchedRun {
    let kind: CapacityRunResult.Kind
    let sizes: [Double]
    let course: RunCourse
    let plan: LoadPlan

    /// `sizes` has the searched quantity for each break.
    init(_ setup: SearchSetup, _ kind: CapacityRunResult.Kind, _ sizes: [Double]) {
        self.kind = kind
        self.sizes = sizes
        course = setup.searched.course(sizes)
        plan = setup.searched.run(course, value: setup.question.quantity == .viewers ? nil : sizes.first)
    }

    /// Judges the run's breaks from its intervals, and may end the run by `requests`; prints each break to `output`.
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

    /// Result of the run for the search, including breaks that the target lost altogether.
    ///
    /// `file` is relative to the search's file; `endedBy` is the reason for an early end.
    func result(
        _ run: RunDescription,
        breaks: [JudgedBreak],
        file: String,
        endedBy: String?
    ) -> CapacityRunResult {
        CapacityRunResult(
            kind: kind,
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
    /// Line printed for a break while a search goes on.
    fileprivate var line: String {
        let share = onTimePercent.map { " (\(MetricText.percent($0)) on time)" } ?? ""
        let why = outcome == .held ? "" : ": " + (outcome == .censored ? limits : broken).joined(separator: "; ")
        return "  \(planned) viewers: \(outcome.rawValue)\(share)\(why)"
    }
}
