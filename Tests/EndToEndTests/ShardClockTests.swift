import Foundation
import Results
import TestSupport
import Testing
import Values

/// Shards whose wall clocks are wrong begin together all the same, and say by how much each was.
///
/// Over sockets, because shards are processes with clocks of their own.
@Suite(.fewWaiting) struct ShardClockTests {
    private static let offsets: [Int64] = [0, 300_000, -300_000]
    private static let step: Int64 = 5_000_000
    /// More than comes in between eight pairs of readings, of which the closest counts, and far less than any offset.
    private static let reading: Int64 = 50_000

    @Test func wrongClocksAreFoundCorrectedAndTold() async throws {
        let clock = try await OffsetClock()
        try await RunningOrigin.serving(ShardProfile.originArguments) { origin in
            let rehearsal = try ShardedRehearsal(
                // Time for the jump that the first interval asks for, wherever the machine is busy.
                ShardProfile(origin: origin.url, duration: "16s", viewers: 12).yaml,
                shards: 3
            )
            let shards = try Self.offsets.enumerated().map { index, offset in
                let step = index == 2 ? Self.step : 0
                return try rehearsal.start(index, environment: clock.environment(wrongBy: offset, thenBy: step))
            }
            try await shards[2].wait(for: "an interval") { _ in try !rehearsal.lines(of: 2).isEmpty }
            try clock.jump()
            for shard in shards {
                let end = try await shard.ended()
                #expect(end.status == 0, "\(end.errors)")
            }
            let merge = try await rehearsal.merge()
            #expect(merge.end.status == 0, "\(merge.end.errors)")
            try Self.check(try #require(merge.document), rehearsal)
        }
    }

    private static func check(_ document: ResultDocument, _ rehearsal: ShardedRehearsal) throws {
        let all = try #require(document.shards)
        for (shard, offset) in zip(all, offsets) {
            let start = try #require(shard.clock?.start)
            #expect(abs(start.offsetMicroseconds + offset) <= start.boundMicroseconds + reading, "\(shard)")
            let end = try #require(shard.clock?.end)
            let atEnd = offset + (shard.index == 2 ? step : 0)
            #expect(abs(end.offsetMicroseconds + atEnd) <= end.boundMicroseconds + reading, "\(shard)")
            let drift = try #require(end.driftMicroseconds)
            #expect(abs(drift) < start.boundMicroseconds + end.boundMicroseconds + reading, "\(shard)")
        }
        let steps = try #require(document.clock)
        #expect(steps.steps.map(\.shard) == [2] && steps.stepCount == 1)
        #expect(steps.steps.allSatisfy { abs($0.byMicroseconds - step) < step / 5 })
        #expect(document.breaks.each.count == 2)
        let bound = all.compactMap(\.clock).boundBetweenMicroseconds
        #expect(bound != nil && document.breaks.each.allSatisfy { $0.spreadBoundMicroseconds == bound })
        for index in offsets.indices {
            let file = try #require(rehearsal.resultFile(of: index))
            let own = try ResultDocument(json: Data(contentsOf: file))
            #expect(own.run.startedAtMicroseconds == document.run.startedAtMicroseconds)
            #expect(own.run.shard?.clock == all[index].clock)
        }
    }
}
