import ExampleRuns
import Foundation
import TestSupport
import Testing
import Values

@testable import Results

/// What shards tell where they meet comes to what their journals come to.
@Suite struct JournalStreamTests {
    private static let timing = JournalStream.Timing(
        period: .milliseconds(1),
        pause: .milliseconds(1),
        patience: .seconds(60)
    )

    private static func run(seed: UInt64, shards: Int, intervals: Int = 8, deeds: Int = 20) -> ShardedRun {
        var generator = SeededGenerator(seed: seed)
        var run = ShardedRun(shards: shards)
        for _ in 0..<intervals {
            run.act(Int.random(in: 0...deeds, using: &generator), using: &generator)
            run.close()
        }
        return run
    }

    /// Tells everything a shard did; without an ending it is cut off.
    private static func tell(_ run: ShardedRun, shard: Int, to place: MemoryPlace, ending: RunEnding?) async {
        let settings = run.shards[shard].settings
        let stream = JournalStream(to: place, shard: shard, settings: settings, timing: timing)
        var collector = RunCollector(settings)
        for interval in run.intervals[shard] {
            collector.fold(interval)
            stream.telling(interval, of: collector)(true)
        }
        await stream.finish(ending.map { collector.ended($0) } ?? collector)
        #expect(stream.problem == nil)
    }

    /// A place where shards meet, and the run as it is followed there.
    private struct Meeting {
        let place = MemoryPlace()
        let start = ContinuousClock.now
        let followed: FollowedRun

        init(of count: Int, startingIn delay: Duration = .zero) {
            followed = FollowedRun(count: count, silence: .seconds(60), now: start + delay)
        }

        func pull(after seconds: Int = 0) async throws {
            let now = start + .seconds(seconds)
            try await followed.pull(from: place) { now }
        }

        func states(after seconds: Int = 0) -> [FollowedRun.State] { followed.states(now: start + .seconds(seconds)) }

        func merged() throws -> ResultDocument? { try ShardFolder.merged(followed.sources) }
    }

    @Test(arguments: 1...4) func whatWasToldIsWhatWasDone(count: Int) async throws {
        let run = Self.run(seed: UInt64(count), shards: count)
        let meeting = Meeting(of: count)
        #expect(meeting.states() == Array(repeating: .awaited, count: count))
        for shard in 0..<count { await Self.tell(run, shard: shard, to: meeting.place, ending: run.ending) }
        try await meeting.pull()
        #expect(meeting.states() == Array(repeating: .ended, count: count))
        #expect(meeting.followed.collectors.map(\.collector) == run.shards.map { $0.ended(run.ending) })
        let sum = try #require(RunCollector.sum(of: meeting.followed.collectors))
        #expect(sum.counts == run.whole.counts && sum.endMicroseconds == run.whole.endMicroseconds)
        #expect(try meeting.merged()?.json() == run.merged().json())
    }

    /// A place that is gone for a while costs nothing; where it is gone for long, one checkpoint says it all.
    @Test(arguments: [5, 150]) func anOutageIsMadeUpFor(intervals: Int) async throws {
        let run = Self.run(seed: 9, shards: 1, intervals: intervals, deeds: 80 / intervals)
        let meeting = Meeting(of: 1)
        let place = meeting.place
        place.isReachable = false
        let settings = run.shards[0].settings
        let stream = JournalStream(to: place, shard: 0, settings: settings, timing: Self.timing)
        var collector = RunCollector(settings)
        for (number, interval) in run.intervals[0].enumerated() {
            collector.fold(interval)
            stream.telling(interval, of: collector)(true)
            place.lostAnswers = number % 2 == 0 ? .max : 0
        }
        (place.isReachable, place.lostAnswers) = (true, 0)
        await stream.finish(collector.ended(run.ending))
        #expect(stream.problem == nil)
        try await meeting.pull()
        #expect(meeting.followed.collectors.map(\.collector) == run.shards.map { $0.ended(run.ending) })
    }

    /// A place that answers nothing, and tells when it is asked.
    private struct SilentPlace: RendezvousPlace {
        let asked: AsyncStream<Void>.Continuation

        func put(_: Data, in _: String, as _: String) throws(RendezvousError) -> Bool {
            asked.yield()
            throw RendezvousError("out of reach")
        }

        func list(_: String, after _: String?) throws(RendezvousError) -> RendezvousListing {
            throw RendezvousError("out of reach")
        }

        func time() throws(RendezvousError) -> PlaceTime { throw RendezvousError("out of reach") }
    }

    /// Once it was asked twice, the first refusal is known.
    @Test(arguments: [0, 2]) func whoWaitsInVainSaysSo(asking times: Int) async {
        let run = Self.run(seed: 3, shards: 1)
        let (asks, asked) = AsyncStream<Void>.makeStream()
        var timing = Self.timing
        timing.patience = .zero
        let settings = run.shards[0].settings
        let stream = JournalStream(to: SilentPlace(asked: asked), shard: 0, settings: settings, timing: timing)
        var iterator = asks.makeAsyncIterator()
        for _ in 0..<times { await iterator.next() }
        await stream.finish(run.shards[0])
        #expect(stream.problem != nil)
        #expect(times == 0 || stream.problem?.contains("out of reach") == true)
    }

    @Test func whoSaysNothingIsLost() async throws {
        let run = Self.run(seed: 5, shards: 2)
        let meeting = Meeting(of: 2)
        await Self.tell(run, shard: 0, to: meeting.place, ending: nil)
        try await meeting.pull(after: 30)
        #expect(meeting.states(after: 59) == [.running, .awaited])
        let silent = FollowedRun.State.lost("it has said nothing for 60 s")
        #expect(meeting.states(after: 60) == [.running, silent])
        #expect(meeting.states(after: 90) == [silent, silent])
        #expect(meeting.followed.latest([silent, silent]) == [])
        #expect(meeting.followed.latest([.running, silent]) == [run.intervals[0][7]])
        // While the place was gone nobody could be heard.
        meeting.place.isReachable = false
        await #expect(throws: RendezvousError.self) { try await meeting.pull(after: 70) }
        #expect(meeting.states(after: 669) == [.running, .awaited])
        let gone = FollowedRun.State.lost("the rendezvous has not answered for 600 s")
        #expect(meeting.states(after: 670) == [gone, gone])
        meeting.place.isReachable = true
        try await meeting.pull(after: 100)
        #expect(meeting.states(after: 150) == [.running, .awaited])
        let document = try #require(try meeting.merged())
        #expect(document.verdict.exitCode != 0)
        #expect(document.shards?.map(\.state) == [.cutOff, .missing])
        #expect(document.shards?.first?.recovered?.intervals == run.intervals[0].count)
    }

    /// One journal that cannot be read hides those of no others, and keeps no silence from counting.
    @Test func oneJournalThatCannotBeReadHidesNoOther() async throws {
        let run = Self.run(seed: 5, shards: 3)
        let meeting = Meeting(of: 3)
        for shard in 0..<3 { await Self.tell(run, shard: shard, to: meeting.place, ending: run.ending) }
        meeting.place.unreadable = "journal-0"
        await #expect(throws: RendezvousError.self) { try await meeting.pull() }
        #expect(meeting.states() == [.awaited, .ended, .ended])
        let silent = FollowedRun.State.lost("it has said nothing for 60 s")
        #expect(meeting.states(after: 60) == [silent, .ended, .ended])
    }

    /// Before the start nobody has anything to say.
    @Test func silenceCountsFromTheStart() async throws {
        let meeting = Meeting(of: 1, startingIn: .seconds(90))
        await Self.tell(Self.run(seed: 5, shards: 1), shard: 0, to: meeting.place, ending: nil)
        try await meeting.pull()
        #expect(meeting.states(after: 149) == [.running])
        #expect(meeting.states(after: 150) != [.running])
    }

    /// What strangers put there damages nothing of what came before it.
    @Test func damageEndsAShardAndKeepsWhatCame() async throws {
        let run = Self.run(seed: 6, shards: 1)
        let meeting = Meeting(of: 1)
        await Self.tell(run, shard: 0, to: meeting.place, ending: nil)
        try await meeting.pull()
        meeting.place.fill("journal-0", with: ["9999999999": Data("no record of ours, at all".utf8)])
        try await meeting.pull()
        #expect(meeting.states() == [.lost("its journal is damaged: bytes that are not a record")])
        #expect(meeting.followed.collectors.map(\.collector) == run.shards)
        #expect(try meeting.merged()?.shards?.first?.recovered?.intervals == run.intervals[0].count)
    }

    /// A shard of the version before is old, not damaged.
    @Test func aShardOfAnotherVersionIsToldAsThat() async throws {
        let meeting = Meeting(of: 1)
        let header = #"{"schema":"podswarm.journal","schema_version":4,"podswarm_version":"9.9.9"}"#
        meeting.place.fill("journal-0", with: ["0": Data("5f0c2a91 00000056 H \(header)\n".utf8)])
        try await meeting.pull()
        #expect(meeting.states() == [.lost("\(JournalReadingError.otherVersion(podswarm: "9.9.9"))")])
    }
}
