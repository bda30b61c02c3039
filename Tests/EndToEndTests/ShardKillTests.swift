import Foundation
import RunResult
import TestSupport
import Testing

/// A shard that is killed at any instant: never a pass, never a lost interval, never a hang.
@Suite(.fewAtOnce) struct ShardKillTests {
    private static let kills = ProcessInfo.processInfo.environment["PODSWARM_SHARD_KILLS"].flatMap(Int.init) ?? 5
    private static let count = 3
    /// How long shards wait for one that does not come.
    private static let gathering = Duration.seconds(20)

    /// What became of a run with a shard killed.
    private enum Fate: String {
        /// It was gone before the start: nobody sent anything.
        case nobody = "nobody began"
        case cutOff = "cut off"
        case leftNothing = "left nothing"
        /// Its journal had said its last word.
        case afterItsEnd = "after its end"
    }

    /// The bar of the project is 50: `PODSWARM_SHARD_KILLS=50 swift test --filter aShardKilledAtAnyInstant`.
    @Test func aShardKilledAtAnyInstantNeverLetsTheRunPass() async throws {
        let seed: UInt64 = 2_026
        var generator = SeededGenerator(seed: seed)
        let plans = (0..<Self.kills).map { _ in
            (Int.random(in: 0..<Self.count, using: &generator), Double.random(in: 0..<24, using: &generator))
        }
        var fates: [Fate: Int] = [:]
        var longest = Duration.zero
        try await RunningOrigin.serving(ShardProfile.originArguments) { origin in
            let profile = ShardProfile(origin: origin.url, viewers: 12)
            for start in stride(from: 0, to: plans.count, by: 5) {
                try await withThrowingTaskGroup(of: (Fate, Duration).self) { group in
                    for (place, (victim, delay)) in plans.enumerated().dropFirst(start).prefix(5) {
                        let what = "kill \(place) of seed \(seed): shard \(victim) after \(delay) s"
                        group.addTask { try await Self.kill(victim, after: delay, of: profile, what) }
                    }
                    for try await (fate, duration) in group {
                        fates[fate, default: 0] += 1
                        longest = max(longest, duration)
                    }
                }
            }
        }
        let words = fates.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key.rawValue)" }
        print("\(plans.count) kills: \(words.joined(separator: ", ")); at most \(longest) from start to end")
        #expect(fates.values.reduce(0, +) == plans.count)
    }

    private static func kill(
        _ victim: Int,
        after delay: Double,
        of profile: ShardProfile,
        _ what: String
    ) async throws -> (Fate, Duration) {
        let rehearsal = try ShardedRehearsal(profile.yaml, shards: count)
        let begun = ContinuousClock.now
        let shards = try (0..<count).map {
            try rehearsal.start($0, ["--gather-within", "\(gathering.components.seconds)s"])
        }
        try await ContinuousClock().sleep(for: .seconds(delay))
        shards[victim].kill()
        var ends: [ChildProcess.End] = []
        for shard in shards { ends.append(try await shard.ended(within: .seconds(60))) }
        let took = ContinuousClock.now - begun
        let merge = try await rehearsal.merge()
        let others = ends.enumerated().filter { $0.offset != victim }.map(\.element.status)
        guard let document = merge.document else {
            #expect(merge.end.status == 2, "\(what): \(merge.end.errors)")
            #expect(others.allSatisfy { $0 == 2 }, "\(what): \(ends.map(\.errors))")
            return (.nobody, took)
        }
        let shard = try #require(document.shards?.first { $0.index == victim })
        let lines = try rehearsal.lines(of: victim)
        #expect(shard.requests ?? 0 >= lines.last?.requests ?? 0, "\(what)")
        #expect(
            document.requests.values.reduce(0) { $0 + $1.count }
                == (document.shards ?? []).reduce(0) { $0 + ($1.requests ?? 0) },
            "\(what)"
        )
        for other in document.shards ?? [] where other.index != victim {
            #expect(other.state == .ended, "\(what): \(ends.map(\.errors))")
            #expect(other.requests ?? 0 >= (try rehearsal.lines(of: other.index).last?.requests ?? 0), "\(what)")
        }
        switch shard.state {
        case .ended, .aborted, .interrupted:
            // What it had to say it has said: it is as if it had not been killed.
            #expect(lines.last?.requests == shard.requests, "\(what)")
            return (.afterItsEnd, took)
        case .cutOff:
            #expect(shard.recovered?.intervals ?? 0 >= lines.count, "\(what)")
            guard shard.recovered?.intervals ?? 0 > 0 else { break }
            // Whoever makes a result of that shard alone leaves its journal to the merge.
            let recovery = try await PodswarmExecutable.run(["recover", rehearsal.results])
            #expect(recovery.errors.contains("is a shard's, and stays for podswarm merge"), "\(what)")
            let again = try await rehearsal.merge().document?.shards?.first { $0.index == victim }
            #expect(again?.state == .cutOff, "\(what)")
        case .missing:
            #expect(lines.isEmpty, "\(what)")
        }
        #expect(document.verdict.exitCode == 3 && merge.end.status == 3, "\(what): \(document.verdict)")
        #expect(document.verdict.reasons.contains { $0.contains("shard \(victim) of \(count)") }, "\(what)")
        return (shard.state == .missing ? .leftNothing : .cutOff, took)
    }
}
