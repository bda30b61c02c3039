import Comparison
import Foundation
import Rehearsal
import Results
import Synchronization
import Transport

/// Runs of several shards as shard 0 leads them: decides each run, takes part, judges the breaks of all shards and writes
/// the merged result.
struct LedRuns: SearchRuns {
    let runs: RunsOfSearch
    let party: SearchParty
    let notes: SearchNotes
    private var number = 0

    init(_ runs: RunsOfSearch, party: SearchParty, notes: SearchNotes) {
        self.runs = runs
        self.party = party
        self.notes = notes
    }

    mutating func perform(_ run: SearchedRun, requests: RunRequests) async throws -> MadeRun {
        number += 1
        let step = SearchNote.Step(kind: run.kind.rawValue, sizes: run.sizes)
        guard try await notes.put(step, as: SearchNote.step(number)) else {
            throw CommandFailure(.badInput, "somebody else leads search '\(party.mark.runID)': take another --run-id")
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
            // Breaks are not judged any more, so the other shards must stop too.
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
            var all = ShardWatch(
                place: place,
                runID: party.mark(ofRun: number).runID,
                patience: .init(beginning: timing.gathering + timing.lead, silence: party.party.silence),
                output: runs.output.ofPart(),
                live: nil,
                requests: requests,
                showsProgress: false
            )
            all.observer = ShardWatch.Observer { shard, interval, collector in
                watch.take(interval, ofShard: shard, collector.settings)
            } ended: { shard, lost, collector in
                let name = "shard \(shard) of \(party.mark.count)"
                // An interruption that was not requested here happened to the shard itself.
                let isEarly = lost == nil && collector?.ending?.interrupted == true && requests.end == nil
                let reason = isEarly ? "somebody interrupted it" : lost
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

    /// Tells the other shards as soon as the run is to end.
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
        let merge = ShardMerge(writesReport: runs.writesReport, output: runs.output.ofPart())
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

/// Reasons why shards ended before the run did.
private final class ShardEnds: Sendable {
    private let sentences = Mutex<[String]>([])

    func add(_ sentence: String) { sentences.withLock { $0.append(sentence) } }

    var all: [String] { sentences.withLock { $0 } }
}
