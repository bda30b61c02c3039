import Foundation
package import Recording
import Report
package import Results
import Swarm
import Values
import Viewer

/// Follows all shards of a run to their end, from any machine that reaches the meeting point.
package struct ShardWatch: Sendable {
    package struct WaitingTimes: Sendable {
        var beginning: Duration
        var silence: Duration

        package init(beginning: Duration, silence: Duration) {
            self.beginning = beginning
            self.silence = silence
        }
    }

    package let place: any RendezvousPlace
    package let runID: String
    package let patience: WaitingTimes
    package let output: RunOutput
    package let live: LiveBroadcast?
    package let requests: RunRequests
    /// Whether it shows the run on the terminal; false where a shard does.
    var showsProgress = true
    package var observer: Observer?

    package struct Observer: Sendable {
        /// An interval sent by a shard, and the shard's sum after it.
        let took: @Sendable (_ shard: Int, RunInterval, RunCollector) -> Void
        /// The end of a shard: lost for this reason, or ended, early if the user stopped it.
        let ended: @Sendable (_ shard: Int, _ lost: String?, RunCollector?) -> Void

        package init(
            took: @escaping @Sendable (_ shard: Int, RunInterval, RunCollector) -> Void,
            ended: @escaping @Sendable (_ shard: Int, _ lost: String?, RunCollector?) -> Void
        ) {
            (self.took, self.ended) = (took, ended)
        }
    }

    package init(
        place: any RendezvousPlace,
        runID: String,
        patience: WaitingTimes,
        output: RunOutput,
        live: LiveBroadcast?,
        requests: RunRequests,
        showsProgress: Bool = true
    ) {
        self.place = place
        self.runID = runID
        self.patience = patience
        self.output = output
        self.live = live
        self.requests = requests
        self.showsProgress = showsProgress
    }

    package struct Followed {
        var folder: URL
        package var count: Int
        package var sources: [ShardJournals.Source]

        /// Removes the local journals; the meeting point still has them.
        package func remove() { try? FileManager.default.removeItem(at: folder) }
    }

    /// Reads the present journals without waiting.
    ///
    /// Throws `CommandFailure` where the meeting point does not answer, or has no such run.
    package func look() async throws -> Followed {
        let notes: MeetingNotes
        do {
            notes = try await MeetingNotes(in: place)
        } catch {
            throw CommandFailure(error.isLasting ? .badInput : .unreachable, "--rendezvous: \(error)")
        }
        guard let count = notes.count else {
            throw CommandFailure(.badInput, "no shard of run '\(runID)' has come there")
        }
        let (run, followed) = try begin(count, after: .zero)
        do {
            try await run.pull(from: place)
        } catch {
            followed.remove()
            throw CommandFailure(.unreachable, "--rendezvous: \(error)")
        }
        return Self.ended(run, followed)
    }

    /// Follows the run until every shard has ended or is lost.
    ///
    /// With an observer it goes on until the shards have ended, even if the run is to stop: the shards stop by themselves.
    /// Throws `CommandFailure` where the run does not start, or the user stops the following.
    package func follow() async throws -> Followed {
        let beginning = try await awaitedBeginning()
        let (run, followed) = try begin(beginning.count, after: beginning.untilStart)
        var pace = WatchPace()
        var trouble = PlaceTrouble()
        var told: [FollowedRun.State] = []
        while true {
            guard !Task.isCancelled, observer != nil || requests.end == nil else {
                followed.remove()
                throw CommandFailure(.interrupted, "the shards go on; nothing of them is judged")
            }
            do {
                try await run.pull(from: place, observe: { observer?.took($0, $1, $2) })
                output.note(trouble.note(nil))
            } catch {
                output.note(trouble.note(error))
            }
            let states = run.states()
            tell(states, after: told)
            observe(states, after: told, run)
            told = states
            pace.measure { show(run, states) }
            guard states.contains(where: { $0 == .awaited || $0 == .running }) else { return Self.ended(run, followed) }
            try? await Task.sleep(for: pace.rest)
        }
    }

    private static func ended(_ run: FollowedRun, _ followed: Followed) -> Followed {
        var followed = followed
        followed.sources = run.files.map { ShardJournals.Source(files: [$0]) }
        return followed
    }

    private func begin(_ count: Int, after delay: Duration) throws -> (FollowedRun, Followed) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "podswarm-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let run = try FollowedRun(count: count, folder: folder, silence: patience.silence, now: .now + delay)
            return (run, Followed(folder: folder, count: count, sources: []))
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw CommandFailure(.badInput, "\(folder.path): what shards tell cannot be kept: \(error)")
        }
    }

    /// The number of shards and the time to their start, once that is decided.
    private func awaitedBeginning() async throws -> (count: Int, untilStart: Duration) {
        let clock = ContinuousClock()
        let giveUp = clock.now + patience.beginning
        output.note("Waiting for the shards of run \(runID).")
        var (isTold, trouble) = (false, PlaceTrouble())
        while clock.now < giveUp {
            guard !Task.isCancelled, requests.end == nil else { throw CommandFailure(.interrupted, "interrupted") }
            do {
                let notes = try await MeetingNotes(in: place)
                output.note(trouble.note(nil))
                if let count = notes.count, let missing = notes.missing {
                    guard missing.isEmpty else { throw Self.nobodyBegins(missing, of: count) }
                    return (count, try await notes.untilStart(in: place))
                }
                if !isTold, let count = notes.count {
                    output.note("Run \(runID): \(notes.present.count) of \(count) shards have come.")
                    isTold = true
                }
            } catch let error as RendezvousError {
                guard !error.isLasting else { throw CommandFailure(.badInput, "--rendezvous: \(error)") }
                output.note(trouble.note(error))
            }
            try? await Task.sleep(for: .milliseconds(500))
        }
        let seconds = patience.beginning.components.seconds
        let why = trouble.reason.map { "; the rendezvous does not answer: \($0)" } ?? ""
        throw CommandFailure(.badInput, "run '\(runID)' did not begin within \(seconds) s\(why)")
    }

    private static func nobodyBegins(_ missing: [Int], of count: Int) -> CommandFailure {
        let who = missing.map(String.init).joined(separator: ", ")
        return CommandFailure(.badInput, "nobody begins: of \(count) shards these were not ready in time: \(who)")
    }

    private func tell(_ states: [FollowedRun.State], after told: [FollowedRun.State]) {
        for (index, state) in states.enumerated() {
            guard !told.indices.contains(index) || told[index] != state, case .lost(let why) = state else { continue }
            output.note("Shard \(index) of \(states.count) is lost: \(why).")
        }
    }

    private func observe(_ states: [FollowedRun.State], after told: [FollowedRun.State], _ run: FollowedRun) {
        guard let observer else { return }
        let collectors = Dictionary(run.collectors.map { ($0.index, $0.collector) }) { first, _ in first }
        for (index, state) in states.enumerated() where !told.indices.contains(index) || told[index] != state {
            switch state {
            case .awaited, .running: break
            case .ended: observer.ended(index, nil, collectors[index])
            case .lost(let why): observer.ended(index, why, collectors[index])
            }
        }
    }

    private var isShown: Bool { showsProgress && output.showsProgress }

    private func show(_ run: FollowedRun, _ states: [FollowedRun.State]) {
        guard isShown || live != nil else { return }
        let shards = run.collectors
        guard let sum = RunCollector.sum(of: shards) else { return }
        let progress = Report.Progress(of: run.latest(states), sum: sum)
        if isShown { output.progress(progress) }
        live?.publish(progress, of: sum, shards: LiveShard.all(shards, states))
    }
}
