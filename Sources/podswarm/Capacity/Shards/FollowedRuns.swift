import Foundation
import Profile
import Rehearsal
import Report
import Results
import Values

/// Part of a shard other than the first in a search: makes each run that shard 0 decides.
struct FollowedRuns {
    let runs: RunsOfSearch
    let party: SearchParty
    let notes: SearchNotes

    private enum News {
        case step(CapacityRunResult.Kind, [Double])
        case end(SearchNote.End)
    }

    /// Takes part until shard 0 ends the search, and returns its exit status.
    ///
    /// A request for the end ends this shard's part, and with it the search. Throws `CommandFailure` if a run could not be made
    /// or shard 0 falls silent.
    func follow(requests: RunRequests) async throws -> PodswarmExit {
        let clock = ContinuousClock()
        // Latest end of the current run on all shards.
        var runEnds = clock.now
        var number = 1
        while true {
            let rest = Duration.milliseconds(runs.setup.question.restMilliseconds)
            let patience =
                party.party.timing.gathering + party.party.silence + rest + max(runEnds - clock.now, .zero)
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
                let run = SearchedRun(runs.setup, kind, sizes)
                runEnds = clock.now + party.party.timing.gathering + party.party.timing.lead + run.plan.duration
                try await perform(run, number, requests)
            }
            guard requests.end == nil else { return .interrupted }
            number += 1
        }
    }

    private static func news(_ contents: [String: Data], _ number: Int) -> News? {
        if let step = contents.note(SearchNote.Step.self, SearchNote.step(number)) {
            return CapacityRunResult.Kind(rawValue: step.kind).map { .step($0, step.sizes) }
        }
        return contents.note(SearchNote.End.self, SearchNote.end).map { .end($0) }
    }

    private func perform(_ run: SearchedRun, _ number: Int, _ requests: RunRequests) async throws {
        runs.output.note(
            "Run \(number) (\(run.kind.rawValue)): \(TextLayout.counted(run.sizes.count, "break")), \(run.plan.duration.text) at most."
        )
        let listening = Task { await hearStop(number, requests) }
        let finished: Result<RunSession.Finished, any Error>
        do {
            finished = .success(try await party.finish(runs.session(run, requests: requests), run: number))
        } catch {
            finished = .failure(error)
        }
        listening.cancel()
        let isAlone = await listening.value
        requests.goOn()
        do {
            _ = try finished.get()
        } catch let failure as CommandFailure where failure.exit == .interrupted && requests.end == nil && !isAlone {
            // Shard 0 stopped the run before it began here; its next note says why.
        }
        guard !isAlone else {
            throw CommandFailure(
                .notDecidable,
                "shard 0 has said nothing for \(party.party.silence.text): what the search knows is in its file"
            )
        }
    }

    /// Ends the run if shard 0 stops it or falls silent; returns true in the latter case.
    private func hearStop(_ number: Int, _ requests: RunRequests) async -> Bool {
        guard let place = try? await party.open(run: number) else { return false }
        let isAlone = await hearStop(number, requests, at: place.place)
        await place.close()
        return isAlone
    }

    private func hearStop(_ number: Int, _ requests: RunRequests, at place: any RendezvousPlace) async -> Bool {
        var first = FirstShard(place: place, silence: party.party.silence)
        while !Task.isCancelled {
            if let contents = try? await notes.place.contents(of: SearchNote.group) {
                let stop = contents.note(SearchNote.Stop.self, SearchNote.stop(number))?.reason
                let isOver = contents[SearchNote.end] != nil
                if let reason = stop ?? (isOver ? "the search is over" : nil) {
                    requests.stop(.stopped(reason))
                    return false
                }
            }
            if await first.isSilent() {
                requests.stop(.stopped("shard 0 says nothing any more"))
                return true
            }
            try? await Task.sleep(for: .milliseconds(250))
        }
        return false
    }
}

/// Detects whether shard 0 of a run still writes its journal.
private struct FirstShard {
    let place: any RendezvousPlace
    let silence: Duration
    private var lastName: String?
    /// Nil before the first entry.
    private var heardAt: ContinuousClock.Instant?

    init(place: any RendezvousPlace, silence: Duration) {
        (self.place, self.silence) = (place, silence)
    }

    /// False while the place does not answer, because then no shard can be heard.
    mutating func isSilent() async -> Bool {
        let now = ContinuousClock.now
        guard let listing = try? await place.list(JournalPieces.group(ofShard: 0), after: lastName) else {
            heardAt = heardAt.map { _ in now }
            return false
        }
        if let name = listing.entries.last?.name { (lastName, heardAt) = (name, now) }
        return heardAt.map { now - $0 > silence } ?? false
    }
}
