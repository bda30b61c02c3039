import Comparison
import Foundation
import Profile
import Rehearsal
import Report
import Results
import Rules
import Transport
import Values

protocol SearchRuns {
    /// Throws `CommandFailure` if the run could not be made.
    ///
    /// A request for the end ends the run, which clears only the end that it requested itself.
    mutating func perform(_ run: SearchedRun, requests: RunRequests) async throws -> MadeRun

    mutating func end(_ document: CapacityDocument, _ exit: PodswarmExit) async
}

struct MadeRun {
    var document: ResultDocument
    var file: URL
    var endedBy: String?
    var breaks: [JudgedBreak]
    /// A reason why no further run can be made.
    var lastFor: String?
}

struct RunsOfSearch {
    let search: Search
    let folder: URL
    let searchID: String

    var setup: SearchSetup { search.setup }
    var output: RunOutput { search.output }
    var store: ResultStore { ResultStore(folder: folder) }

    func session(_ run: SearchedRun, clock: RunClock = .machine, requests: RunRequests) -> RunSession {
        var session = RunSession(
            plan: run.plan,
            profileFolder: search.profileFolder,
            labels: search.labels.merging([RunLabels.capacity: searchID]) { $1 },
            store: store,
            output: output.ofPart()
        )
        session.clock = clock
        session.requests = requests
        session.tellsBill = false
        session.writesReport = search.writesReport
        return session
    }
}

struct OwnRuns: SearchRuns {
    let runs: RunsOfSearch
    private var clock: RunClock

    init(_ runs: RunsOfSearch) { (self.runs, clock) = (runs, runs.search.clock) }

    mutating func perform(_ run: SearchedRun, requests: RunRequests) async throws -> MadeRun {
        let watch = run.watch(runs.setup, requests: requests, output: runs.output)
        var session = runs.session(run, clock: clock, requests: requests)
        session.sinks = [watch]
        let finished = try await session.finish()
        let ended = WallTime(microseconds: finished.document.run.endedAtMicroseconds)
        clock = clock.going(on: ended + .milliseconds(runs.setup.question.restMilliseconds))
        return MadeRun(
            document: finished.document,
            file: finished.file,
            endedBy: finished.endedBy,
            breaks: watch.breaks
        )
    }

    func end(_ document: CapacityDocument, _ exit: PodswarmExit) async {}
}

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

    /// May end the run by `requests`; prints each break to `output`.
    func watch(_ setup: SearchSetup, shards: Int = 1, requests: RunRequests, output: RunOutput) -> CapacityWatch {
        CapacityWatch(
            rule: setup.rule,
            course: course,
            timing: setup.searched.timing(of: plan),
            countsSilent: setup.searched.countsSilent,
            shards: shards,
            endsAfterTwoMissed: kind == .escalation
                || setup.searched.watch != nil && setup.question.quantity == .viewers,
            requests: requests
        ) { output.note($0.line) }
    }

    /// Includes breaks that the target lost; `file` is relative to the search's file.
    func result(
        _ run: RunDescription,
        breaks: [JudgedBreak],
        file: String,
        endedBy: String?
    ) -> CapacityRunResult {
        let (start, end) = (run.startedAtMicroseconds, run.endedAtMicroseconds)
        var result = CapacityRunResult(kind, startedAtMicroseconds: start, endedAtMicroseconds: end)
        (result.sizes, result.result, result.endedBy) = (sizes, file, endedBy)
        result.breaks =
            course.withLost(breaks, start: start, end: end, grace: plan.breaks.grace, abortedBy: run.abortedBy)
        return result
    }
}

extension JudgedBreak {
    fileprivate var line: String {
        let share = onTimePercent.map { " (\(MetricText.percent($0)) on time)" } ?? ""
        let why = outcome == .held ? "" : ": " + (outcome == .censored ? limits : broken).joined(separator: "; ")
        return "  \(planned) viewers: \(outcome.rawValue)\(share)\(why)"
    }
}

/// Printed before a search: requests and duration at most.
struct SearchForecast {
    let search: Search
    let shards: Int

    private var setup: SearchSetup { search.setup }

    private var first: (sizes: [Double], course: RunCourse)? {
        let steps = CapacitySearch(setup.question, seed: setup.plan.seed)
        guard case .run(_, let sizes) = steps.next() else { return nil }
        return (sizes, setup.searched.course(sizes))
    }

    var text: String {
        guard let first else { return "Nothing can be asked between these bounds." }
        let question = setup.question
        let quantity = question.quantity
        let largest = setup.searched.course([Double](repeating: question.ceiling, count: question.breaksPerRun))
        let later = largest.duration + .milliseconds(question.restMilliseconds)
        let whole = first.course.duration + later * (question.runsMaximum - 1)
        let atMost = min(whole, .seconds(question.timeMaximumSeconds))
        let looksFor =
            quantity == .viewers
            ? "the most viewers whose break holds"
            : "the least \(quantity.rawValue) with which a break of \(quantity.number(Double(question.viewers ?? 0))) viewers holds"
        return """
            Looks for \(looksFor): \(question.hold.joined(separator: ", ")), in \(MetricText.percent(question.sharePercent)) of breaks.
            \(beginning(first.sizes, first.course))
              Then at most \(TextLayout.counted(question.runsMaximum - 1, "run")) of \(question.breaksPerRun) breaks around what is known, each \
            \(later.text) at most with its rest\(sharing).
              No more than \(quantity.number(question.ceiling)) \(quantity.unit)\(ceilingReason), and \(atMost.text) in all.

            """
    }

    private func beginning(_ sizes: [Double], _ course: RunCourse) -> String {
        let (quantity, breaks) = (setup.question.quantity, TextLayout.counted(sizes.count, "break"))
        let (least, most) = (quantity.number(sizes.first ?? 0), quantity.number(sizes.last ?? 0))
        guard let watch = setup.searched.watch else {
            return "  First \(breaks), \(setup.searched.spacing.text) apart: \(least) to \(most) \(quantity.unit), "
                + "\(course.duration.text); ended when two in a row are missed."
        }
        let growth = quantity == .viewers ? ", then twice as many in each run until a break is missed" : ""
        return """
              The channel says when its breaks are: a run ends when enough of them were judged, or after waiting for \
            \(watch.text).
              First \(breaks) with \(least) \(quantity.unit)\(growth): \(course.duration.text) at most.
            """
    }

    private var sharing: String { shards == 1 ? "" : ", on \(shards) machines that begin each together" }

    private var ceilingReason: String { setup.question.ceilingReason.map { " (this machine: \($0))" } ?? "" }

    /// With the bill of the first run.
    func show() async throws {
        RunOutput.tell(text, on: .output)
        guard let first else { return }
        let value = setup.question.quantity == .viewers ? nil : first.sizes.first
        let run = setup.searched.run(first.course, value: value)
        let now = search.clock.now
        let bill = try await BilledTarget(run, profileFolder: search.profileFolder).bill(startingAt: now)
        StandardStream.output.write(bill.text(StandardStream.output.rendering))
    }
}
