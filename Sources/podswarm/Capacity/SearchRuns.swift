import Foundation
import Rehearsal
import Results
import Values

protocol SearchRuns {
    /// Makes one run and writes its result; throws `CommandFailure` if the run could not be made.
    ///
    /// A request for the end ends the run; the run clears only the end that it requested itself.
    mutating func perform(_ run: SearchedRun, requests: RunRequests) async throws -> MadeRun

    /// Ends the search; no run follows.
    mutating func end(_ document: CapacityDocument, _ exit: PodswarmExit) async
}

/// A finished run of a search.
struct MadeRun {
    var document: ResultDocument
    var file: URL
    var endedBy: String?
    var breaks: [JudgedBreak]
    /// Reason why no further run can be made; nil if one can.
    var lastFor: String?
}

/// Settings shared by all runs of a search.
struct RunsOfSearch {
    let setup: SearchSetup
    let place: SearchPlace
    /// Folder of the runs' results.
    let folder: URL
    let searchID: String
    let output: RunOutput
    let writesReport: Bool

    var store: ResultStore { ResultStore(folder: folder) }

    func session(_ run: SearchedRun, clock: RunClock = .machine, requests: RunRequests) -> RunSession {
        var session = RunSession(
            plan: run.plan,
            profileFolder: place.profileFolder,
            labels: place.labels.merging([RunLabels.capacity: searchID]) { $1 },
            store: store,
            output: output.ofPart()
        )
        session.clock = clock
        session.requests = requests
        session.tellsBill = false
        session.writesReport = writesReport
        return session
    }
}

/// Makes runs in this process alone.
struct OwnRuns: SearchRuns {
    let runs: RunsOfSearch
    /// Clock of the next run.
    private var clock: RunClock

    init(_ runs: RunsOfSearch) { (self.runs, clock) = (runs, runs.place.clock) }

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
