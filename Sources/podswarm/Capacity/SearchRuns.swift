import CapacityResult
import CapacityRuns
import Console
import Foundation
import Rehearsal
import RunResult
import Time

/// Makes the runs of a search.
protocol SearchRuns {
    /// Makes one run, and keeps its result.
    ///
    /// - Parameters:
    ///   - run: What is asked.
    ///   - requests: Of the run; whoever asks for its end ends it, and it takes back only what it asked itself.
    /// - Returns: What it came to.
    /// - Throws: `CommandFailure` where it could not be made.
    mutating func perform(_ run: SearchedRun, requests: RunRequests) async throws -> MadeRun

    /// Takes that no run follows.
    ///
    /// - Parameters:
    ///   - document: What is known.
    ///   - exit: What the command ends with.
    mutating func end(_ document: CapacityDocument, _ exit: PodswarmExit) async
}

/// What a run of a search came to.
struct MadeRun {
    var document: ResultDocument
    var file: URL
    var endedBy: String?
    var breaks: [JudgedBreak]
    /// Why no further run can be made; nil where one can.
    var lastFor: String?
}

/// What all runs of a search have in common.
struct RunsOfSearch {
    let setup: SearchSetup
    let place: SearchPlace
    /// Of the runs' results.
    let folder: URL
    let searchID: String
    let output: RunOutput
    let writesReport: Bool

    var store: ResultStore { ResultStore(folder: folder) }

    /// One run, not begun.
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

/// Runs of this process alone.
struct OwnRuns: SearchRuns {
    let runs: RunsOfSearch
    /// The clock of the next run.
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
