import Foundation
import Results
import TestSupport
import Testing

/// A shard that is killed: never a pass, never a lost interval, never a hang.
///
/// Over sockets, because shards are processes that can be killed.
@Suite(.fewWaiting) struct ShardKillTests {
    private static let count = 3

    /// Killed before the start, nobody sends anything.
    @Test func aShardThatIsKilledBeforeTheStartLetsNobodyBegin() async throws {
        let (rehearsal, ends) = try await Self.killed(1, afterIntervals: 0)
        #expect(ends.enumerated().allSatisfy { $0.offset == 1 || $0.element.status == 2 }, "\(ends.map(\.errors))")
        let merge = try await rehearsal.merge()
        #expect(merge.document == nil && merge.end.status == 2, "\(merge.end.errors)")
    }

    @Test(arguments: [(0, 1), (2, 7)])
    func aShardThatIsKilledInTheRunNeverLetsItPass(victim: Int, intervals: Int) async throws {
        let (rehearsal, ends) = try await Self.killed(victim, afterIntervals: intervals)
        let merge = try await rehearsal.merge()
        let document = try #require(merge.document)
        let shards = try #require(document.shards)
        let sum = document.requests.values.reduce(0) { $0 + $1.count }
        #expect(sum == shards.reduce(0) { $0 + ($1.requests ?? 0) })
        for shard in shards {
            let lines = try rehearsal.lines(of: shard.index)
            #expect(shard.requests ?? 0 >= lines.last?.requests ?? 0)
            guard shard.index == victim else {
                #expect(shard.state == .ended, "\(ends.map(\.errors))")
                continue
            }
            #expect(shard.state == .cutOff && shard.recovered?.intervals ?? 0 >= lines.count)
        }
        // Whoever makes a result of that shard alone leaves its journal to the merge.
        let recovery = try await PodswarmExecutable.run(["recover", rehearsal.results])
        #expect(recovery.errors.contains("is a shard's, and stays for podswarm merge"), "\(recovery.errors)")
        let again = try await rehearsal.merge().document?.shards?.first { $0.index == victim }
        #expect(again?.state == .cutOff)
        #expect(document.verdict.exitCode == 3 && merge.end.status == 3, "\(document.verdict)")
        #expect(document.verdict.reasons.contains { $0.contains("shard \(victim) of \(Self.count)") })
    }

    /// How all shards ended, of which one was killed as soon as it had told of so many seconds.
    private static func killed(
        _ victim: Int,
        afterIntervals intervals: Int
    ) async throws -> (ShardedRehearsal, [ChildProcess.End]) {
        try await RunningOrigin.serving(ShardProfile.originArguments) { origin in
            let profile = ShardProfile(origin: origin.url, duration: "25s", viewers: 12).yaml
            let rehearsal = try ShardedRehearsal(profile, shards: count)
            let shards = try (0..<count).map {
                // How long they wait for one that does not come.
                let shard = try rehearsal.start($0, intervals == 0 ? ["--gather-within", "20s"] : [])
                // No shard begins before the last one is there.
                if intervals == 0, $0 == victim { shard.kill() }
                return shard
            }
            try await shards[victim].wait(for: "intervals", within: .seconds(60)) { _ in
                try rehearsal.lines(of: victim).count >= intervals
            }
            shards[victim].kill()
            var ends: [ChildProcess.End] = []
            for shard in shards { ends.append(try await shard.ended(within: .seconds(60))) }
            return (rehearsal, ends)
        }
    }
}
