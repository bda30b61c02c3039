import Comparison
import Foundation
import Profile
import Rehearsal
import Report
import Results
import Synchronization
import Transport
import Values

/// Runs as shard 0 leads them: it also judges the breaks of all shards and writes the merged result.
struct LedRuns: SearchRuns {
    let runs: RunsOfSearch
    let party: SearchParty
    let notes: SearchNotes
    var number = 0

    mutating func perform(_ run: SearchedRun, requests: RunRequests) async throws -> MadeRun {
        number += 1
        let step = SearchNote.Step(kind: run.kind.rawValue, sizes: run.sizes)
        guard try await notes.put(step, as: SearchNote.step(number)) else {
            throw CommandFailure(.badInput, "another process leads search '\(party.mark.runID)': take another --run-id")
        }
        let watch = run.watch(runs.setup, shards: party.mark.count, requests: requests, output: runs.output)
        let ends = ShardEnds()
        let following = Task { [self] in try await follow(watch, ends, requests) }
        let telling = Task { [self] in await tellStop(requests) }
        do {
            let own = try await party.finish(runs.session(run, requests: requests), run: number)
            let followed = try await following.value
            telling.cancel()
            await telling.value
            defer { followed.remove() }
            return try made(own, followed, watch, ends)
        } catch {
            // Breaks are not judged any more.
            requests.stop(.stopped("shard 0 could not go on"))
            await telling.value
            following.cancel()
            if let followed = try? await following.value { followed.remove() }
            throw error
        }
    }

    mutating func end(_ document: CapacityDocument, _ exit: PodswarmExit) async {
        let end = SearchNote.End(exitStatus: exit.rawValue, text: document.answer.text)
        do {
            _ = try await notes.put(end, as: SearchNote.end)
        } catch {
            runs.output.note("The other shards are not told that the search is over: \(error)")
        }
    }

    private func follow(
        _ watch: CapacityWatch,
        _ ends: ShardEnds,
        _ requests: RunRequests
    ) async throws -> ShardWatch.Followed {
        let timing = party.party.timing
        return try await party.open(run: number).closed { place in
            var all = ShardWatch(party.mark(ofRun: number).runID, at: place, output: runs.output.ofPart())
            (all.beginsWithin, all.silence) = (timing.gathering + timing.lead, party.party.silence)
            (all.requests, all.showsProgress) = (requests, false)
            all.observer = ShardWatch.Observer { shard, interval, collector in
                watch.take(interval, ofShard: shard, collector.settings)
            } ended: { shard, lost, collector in
                let name = "shard \(shard) of \(party.mark.count)"
                // An interruption that was not requested here happened to the shard itself.
                let isEarly = lost == nil && collector?.ending?.interrupted == true && requests.end == nil
                let reason = isEarly ? "it was interrupted" : lost
                if let reason { ends.add("\(name): \(reason)") }
                watch.end(ofShard: shard, lostFor: reason)
                // Without this shard the others answer another question, or exceed the load that the target is to bear.
                if let early = reason ?? collector?.ending?.abortedBy { requests.stop(.stopped("\(name): \(early)")) }
            }
            do {
                return try await all.follow()
            } catch {
                requests.stop(.stopped("what the shards tell cannot be followed"))
                throw error
            }
        }
    }

    private func tellStop(_ requests: RunRequests) async {
        while requests.end == nil {
            do { try await Task.sleep(for: .milliseconds(100)) } catch { return }
        }
        let reason: String
        switch requests.end {
        case .stopped(let why): reason = why
        default: reason = "shard 0 was interrupted"
        }
        do {
            _ = try await notes.put(SearchNote.Stop(reason: reason), as: SearchNote.stop(number))
        } catch {
            runs.output.note("The other shards are not told that the run is over: \(error)")
        }
    }

    private func made(
        _ own: RunSession.Finished,
        _ followed: ShardWatch.Followed,
        _ watch: CapacityWatch,
        _ ends: ShardEnds
    ) throws -> MadeRun {
        let runID = party.mark(ofRun: number).runID
        let merge = ShardMerge(writesReport: runs.search.writesReport, to: runs.output.ofPart())
        let document = try merge.document(of: followed.sources, runID: runID, expected: followed.count).document
        let file = try merge.write(document, runID: runID, to: runs.folder).file
        return MadeRun(
            document: document,
            file: file,
            endedBy: own.endedBy,
            breaks: watch.breaks,
            lastFor: ends.all.first
        )
    }
}

private final class ShardEnds: Sendable {
    private let sentences = Mutex<[String]>([])

    func add(_ sentence: String) { sentences.withLock { $0.append(sentence) } }

    var all: [String] { sentences.withLock { $0 } }
}

/// Makes each run that shard 0 decides.
struct FollowedRuns {
    let runs: RunsOfSearch
    let party: SearchParty
    let notes: SearchNotes

    private enum News {
        case step(CapacityRunResult.Kind, [Double])
        case end(SearchNote.End)
    }

    /// Takes part until shard 0 ends the search; a request for the end ends the whole search.
    ///
    /// Throws `CommandFailure` if a run could not be made or shard 0 falls silent.
    func follow(requests: RunRequests) async throws -> PodswarmExit {
        let clock = ContinuousClock()
        // On all shards.
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

    /// Ends the run if shard 0 stops it or falls silent; returns true if shard 0 falls silent.
    private func hearStop(_ number: Int, _ requests: RunRequests) async -> Bool {
        guard let place = try? await party.open(run: number) else { return false }
        let isAlone = await hearStop(number, requests, at: place)
        await place.shutDown()
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

private struct FirstShard {
    let place: any RendezvousPlace
    let silence: Duration
    private var lastName: String?
    /// Nil before the first entry.
    private var heardAt: ContinuousClock.Instant?

    init(place: any RendezvousPlace, silence: Duration) { (self.place, self.silence) = (place, silence) }

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
