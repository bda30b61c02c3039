import Foundation
import TestSupport
import Testing
import Values

@testable import Results

@Suite struct ShardMeetingTests {
    private static let timing = ShardMeeting.Timing(gathering: .seconds(60), lead: .seconds(15), margin: .seconds(5))

    static func hello(_ index: Int, of count: Int, digest: String = "sha256:1") -> ShardHello {
        ShardHello(
            index: index,
            count: count,
            profileDigest: digest,
            podswarmVersion: "1",
            host: "host-\(index)",
            process: 7
        )
    }

    static func meeting(_ index: Int, of count: Int, digest: String = "sha256:1") -> ShardMeeting {
        ShardMeeting(hello(index, of: count, digest: digest), runID: "x", timing: timing, now: at(0))
    }

    static func at(_ seconds: Double) -> WallTime { WallTime(microseconds: Int64(seconds * 1e6)) }

    private static func refusal(_ step: ShardMeeting.Step) -> String? {
        if case .refused(let reason) = step { reason } else { nil }
    }

    @Test func oneShardAloneBegins() async {
        let place = MemoryPlace()
        var meeting = Self.meeting(0, of: 1)
        #expect(await meeting.step(at: Self.at(0), in: place) == .wait)
        #expect(await meeting.step(at: Self.at(1), in: place) == .prepare(start: Self.at(15)))
        #expect(await meeting.step(at: Self.at(2), in: place) == .wait)
        meeting.arm()
        #expect(await meeting.step(at: Self.at(3), in: place) == .wait)
        #expect(await meeting.step(at: Self.at(4), in: place) == .begin)
        #expect(await meeting.step(at: Self.at(99), in: place) == .begin)
    }

    @Test func whoDoesNotComeIsNamedAndNobodySends() async {
        let place = MemoryPlace()
        var meetings = [0, 2].map { Self.meeting($0, of: 4) }
        for index in meetings.indices { #expect(await meetings[index].step(at: Self.at(1), in: place) == .wait) }
        for index in meetings.indices {
            let reason = Self.refusal(await meetings[index].step(at: Self.at(60), in: place))
            #expect(reason?.hasPrefix("shards 1, 3 of 4 did not come within 60 s") == true)
        }
    }

    @Test func whoIsNotReadyInTimeIsNamedAndNobodySends() async {
        let place = MemoryPlace()
        var meetings = [0, 1].map { Self.meeting($0, of: 2) }
        for time in [0.5, 0.8, 1] {
            for index in meetings.indices { _ = await meetings[index].step(at: Self.at(time), in: place) }
        }
        meetings[0].arm()
        #expect(await meetings[0].step(at: Self.at(9), in: place) == .wait)
        #expect(await meetings[0].step(at: Self.at(11.5), in: place) == .wait)
        let reason = Self.refusal(await meetings[0].step(at: Self.at(11.7), in: place))
        #expect(reason?.hasPrefix("shard 1 of 2 not ready 5 s") == true)
        // It is ready after all, and does as the others.
        meetings[1].arm()
        #expect(Self.refusal(await meetings[1].step(at: Self.at(12), in: place)) != nil)
    }

    @Test func anIndexIsTakenOnce() async {
        let place = MemoryPlace()
        var (first, second) = (Self.meeting(0, of: 2), Self.meeting(0, of: 2))
        _ = await first.step(at: Self.at(0), in: place)
        let reason = Self.refusal(await second.step(at: Self.at(1), in: place))
        #expect(reason?.contains("shard 0 of 2 of run 'x' was started before (host-0, process 7)") == true)
        #expect(await first.step(at: Self.at(1), in: place) == .wait)
    }

    /// Who came by mistake and was refused leaves its note.
    @Test func theFirstShardSaysHowManyThereAre() async throws {
        let place = MemoryPlace()
        var (first, stranger) = (Self.meeting(0, of: 2), Self.meeting(5, of: 8))
        _ = await stranger.step(at: Self.at(0), in: place)
        #expect(try await MeetingNotes(in: place).count == 8)
        _ = await first.step(at: Self.at(0), in: place)
        #expect(try await MeetingNotes(in: place).count == 2)
    }

    @Test func anotherPlanIsNamed() async {
        let place = MemoryPlace()
        var (first, second) = (Self.meeting(0, of: 2), Self.meeting(1, of: 2, digest: "sha256:2"))
        _ = await first.step(at: Self.at(0), in: place)
        let reason = Self.refusal(await second.step(at: Self.at(1), in: place))
        #expect(reason?.contains("has another plan: sha256:1, and here sha256:2") == true)
        #expect(Self.refusal(await first.step(at: Self.at(2), in: place))?.contains("shard 1 of 2") == true)
    }

    @Test func aPlaceOutOfReachIsWaitedFor() async {
        let place = MemoryPlace()
        var meeting = Self.meeting(0, of: 1)
        place.isReachable = false
        #expect(await meeting.step(at: Self.at(0), in: place) == .wait)
        place.isReachable = true
        #expect(await meeting.step(at: Self.at(1), in: place) == .wait)
        #expect(await meeting.step(at: Self.at(2), in: place) == .prepare(start: Self.at(16)))
        meeting.arm()
        place.isReachable = false
        #expect(await meeting.step(at: Self.at(15), in: place) == .wait)
        #expect(Self.refusal(await meeting.step(at: Self.at(16), in: place))?.contains("does not answer") == true)
    }

    /// What was put and not confirmed is a shard's own, and not a second one with its index.
    @Test func anAnswerThatIsLostMakesNoStranger() async {
        let place = MemoryPlace()
        var meeting = Self.meeting(0, of: 1)
        place.lostAnswers = 1
        #expect(await meeting.step(at: Self.at(0), in: place) == .wait)
        #expect(place.held("notes").count == 1)
        #expect(await meeting.step(at: Self.at(1), in: place) == .wait)
        #expect(await meeting.step(at: Self.at(2), in: place) == .prepare(start: Self.at(16)))
    }

    @Test func whatNobodyOfUsPutThereIsNoShard() async {
        let place = MemoryPlace()
        place.fill("notes", with: ["hello-1": Data("{".utf8), "start": Data([0xff]), "else": Data()])
        var meeting = Self.meeting(0, of: 2)
        #expect(await meeting.step(at: Self.at(1), in: place) == .wait)
        #expect(
            Self.refusal(await meeting.step(at: Self.at(60), in: place))?.hasPrefix("shard 1 of 2 did not come") == true
        )
    }

    /// Whatever order shards come in, however long each takes, and whoever dies before the decision: all that live begin, or
    /// none of them does; and who was told to begin was told before the start.
    @Test(arguments: 0..<400) func allBeginOrNone(seed: Int) async {
        var chance = SplitMix64(seed: UInt64(seed))
        let count = 1 + Int(chance.next() % 5)
        let place = MemoryPlace()
        var meetings = (0..<count).map { Self.meeting($0, of: count) }
        let dying = chance.next() % 3 == 0 ? Int(chance.next() % UInt64(count)) : -1
        let diesAt = Double(chance.next() % 30)
        var preparing = [Double?](repeating: nil, count: count)
        var ends = [ShardMeeting.Step?](repeating: nil, count: count)
        var now = 0.0
        func isDead(_ index: Int) -> Bool { index == dying && now >= diesAt }
        while now < 100, ends.indices.contains(where: { ends[$0] == nil && !isDead($0) }) {
            now += Double(chance.next() % 100) / 1_000
            let index = Int(chance.next() % UInt64(count))
            guard ends[index] == nil, !isDead(index) else { continue }
            if let until = preparing[index], now >= until {
                meetings[index].arm()
                preparing[index] = nil
            }
            place.isReachable = chance.next() % 10 != 0
            switch await meetings[index].step(at: Self.at(now), in: place) {
            case .wait: break
            case .prepare: preparing[index] = now + Double(chance.next() % 12_000) / 1_000
            case let step: ends[index] = step
            }
        }
        let told = ends.indices.filter { $0 != dying }.map { ends[$0] == .begin }
        #expect(Set(told).count <= 1, "\(ends)")
        guard dying >= 0, place.held("notes")["armed-\(dying)"] == nil else { return }
        #expect(!told.contains(true), "begun without shard \(dying)")
    }
}

extension ShardMeetingTests {
    /// Notes of a thousand shards, read by each of them five times a second for five minutes, would be 700 MB a shard.
    @Test(arguments: [0, 7]) func whoWaitsReadsLittle(index: Int) async throws {
        let (place, count) = (MemoryPlace(), 200)
        for other in 0..<(count - 1) where other != index {
            let hello = try DocumentEncoding().encode(Self.hello(other, of: count))
            #expect(try place.put(hello, in: "notes", as: "hello-\(other)"))
        }
        var meeting = Self.meeting(index, of: count)
        for tick in 0..<295 { #expect(await meeting.step(at: Self.at(Double(tick) / 5), in: place) == .wait) }
        // One question each time, and what there is to read seldom: the first one once a second, others every four.
        #expect(place.told.listings <= 300)
        #expect(place.told.entries <= (index == 0 ? 62 : 19) * count)
        // The last one comes, and nobody waits long for it.
        var last = Self.meeting(count - 1, of: count)
        _ = await last.step(at: Self.at(59), in: place)
        guard index == 0 else { return }
        #expect(await meeting.step(at: Self.at(59.99), in: place) == .wait)
        #expect(await meeting.step(at: Self.at(60), in: place) == .prepare(start: Self.at(74.99)))
    }
}
