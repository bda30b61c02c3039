import Capacity
import CapacityResult
import Console
import Foundation
import LoadProfile
import Rehearsal
import Rendezvous
import Report
import RunResult
import Time

/// A shard's part in a search that the first one leads: it does what is next until that is nothing.
struct FollowedRuns {
    let runs: RunsOfSearch
    let party: SearchParty
    let notes: SearchNotes

    private enum News {
        case step(CapacityRun.Kind, [Double])
        case end(SearchNote.End)
    }

    /// Takes part to the end.
    ///
    /// - Parameter requests: Whoever asks for the end ends this shard's part, and so the search.
    /// - Returns: How the search ended.
    /// - Throws: `CommandFailure` where a run could not be made, or nothing more was heard of the first shard.
    func follow(requests: RunRequests) async throws -> PodswarmExit {
        var number = 1
        while true {
            let asked = runs.setup.question
            let patience =
                party.party.timing.gathering + party.party.silence + .milliseconds(asked.restMilliseconds)
            let news = try await notes.awaited(within: patience, requests: requests) { contents in
                Self.news(contents, number)
            }
            switch news {
            case nil:
                throw CommandFailure(
                    .notDecidable,
                    "shard 0 has named no further run within \(patience.text): what the search knows is in its file"
                )
            case .end(let end):
                runs.output.note("\(end.text) The search is over.")
                return PodswarmExit(rawValue: end.exitStatus) ?? .ownDefect
            case .step(let kind, let sizes):
                try await perform(SearchedRun(runs.setup, kind, sizes), number, requests)
            }
            guard requests.end == nil else { return .interrupted }
            number += 1
        }
    }

    private static func news(_ contents: [String: Data], _ number: Int) -> News? {
        if let step = contents.note(SearchNote.Step.self, SearchNote.step(number)) {
            return CapacityRun.Kind(rawValue: step.kind).map { .step($0, step.sizes) }
        }
        return contents.note(SearchNote.End.self, SearchNote.end).map { .end($0) }
    }

    private func perform(_ run: SearchedRun, _ number: Int, _ requests: RunRequests) async throws {
        runs.output.note(
            "Run \(number) (\(run.kind.rawValue)): \(TextLayout.counted(run.sizes.count, "break")), \(run.plan.duration.text) at most."
        )
        var session = runs.session(run, requests: requests)
        session.shard = party.enrolment(run: number, at: try await party.open(run: number))
        session.keepsJournal = true
        session.writesReport = false
        let listening = Task { await hearStop(number, requests) }
        defer { listening.cancel() }
        _ = try await LedRuns.finish(session)
        requests.goOn()
    }

    /// Ends the run when the first shard has seen enough of it.
    private func hearStop(_ number: Int, _ requests: RunRequests) async {
        while !Task.isCancelled {
            if let stop = try? await notes.read(SearchNote.Stop.self, SearchNote.stop(number)) {
                return requests.stop(.stopped(stop.reason))
            }
            try? await Task.sleep(for: .milliseconds(250))
        }
    }
}
