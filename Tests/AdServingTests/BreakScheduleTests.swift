import AdServing
import Testing

@testable import HLS

@Suite struct BreakScheduleTests {
    private static func time(_ text: String) throws -> WallTime { try #require(WallTime(iso8601: text)) }

    private static let epoch = WallTime(microseconds: 1_795_291_200_000_000)

    private func every(_ interval: Duration, since epoch: WallTime = epoch, offset: Duration = .zero) -> BreakSchedule {
        .every(interval: interval, epoch: epoch, firstOffset: offset, duration: .seconds(10))
    }

    private func everyMinute() -> BreakSchedule { every(.seconds(60), offset: .seconds(15)) }

    @Test(arguments: [
        ("2026-11-21T19:00:00Z", "2026-11-21T20:00:15.000Z", 1),
        ("2026-11-21T20:00:14.999999Z", "2026-11-21T20:00:15.000Z", 1),
        ("2026-11-21T20:00:15Z", "2026-11-21T20:01:15.000Z", 2),
        ("2026-11-21T20:01:14Z", "2026-11-21T20:01:15.000Z", 2),
        ("2026-11-22T20:00:15Z", "2026-11-22T20:01:15.000Z", 1_442),
    ]) func theNextBreakStartsLater(_ now: String, _ start: String, _ ordinal: Int) throws {
        let next = try #require(everyMinute().next(after: try Self.time(now)))
        #expect((next.start.iso8601, next.key, next.ordinal) == (start, start, ordinal))
        #expect((next.duration, next.end, next.dateRangeID) == (.seconds(10), next.start + .seconds(10), nil))
    }

    @Test func theBreaksOfARangeStartInIt() throws {
        let range = try Self.time("2026-11-21T20:00:15Z")..<Self.time("2026-11-21T20:03:15Z")
        let breaks = everyMinute().breaks(in: range)
        #expect((breaks.map(\.ordinal), breaks.first?.start) == ([1, 2, 3], range.lowerBound))
        let empty = try Self.time("2026-11-21T20:00:16Z")..<Self.time("2026-11-21T20:01:15Z")
        #expect(everyMinute().breaks(in: empty).isEmpty)
    }

    /// A third of a second does not add up; an index does.
    @Test func breaksDoNotDrift() throws {
        let late = Self.epoch + .microseconds(333_333 * 1_000_000)
        let next = try #require(every(.microseconds(333_333)).next(after: late - .microseconds(1)))
        #expect((next.start, next.ordinal) == (late, 1_000_001))
    }

    @Test func withoutAnIntervalThereIsOneBreak() {
        for interval in [Duration.zero, .seconds(-60)] {
            let schedule = every(interval, offset: .seconds(5))
            #expect(schedule.next(after: Self.epoch)?.ordinal == 1)
            #expect(schedule.next(after: Self.epoch + .seconds(5)) == nil)
            #expect(schedule.breaks(in: Self.epoch..<(Self.epoch + .seconds(600))).count == 1)
        }
    }

    @Test func theEndsOfTimeDoNotTrap() {
        let schedule = everyMinute()
        #expect(schedule.next(after: WallTime(microseconds: .max)) == nil)
        #expect(schedule.next(after: WallTime(microseconds: .min))?.ordinal == 1)
        #expect(schedule.breaks(in: WallTime(microseconds: .min)..<WallTime(microseconds: 0)).isEmpty)
        let early = every(.seconds(1), since: WallTime(microseconds: .min))
        #expect(early.next(after: WallTime(microseconds: .max)) == nil)
    }

    @Test func aListIsSortedAndItsRepetitionsCountOnce() throws {
        let starts = try ["2026-11-21T21:00:00Z", "2026-11-21T20:00:00Z", "2026-11-21T21:00:00Z"].map {
            try Self.time($0)
        }
        let schedule = BreakSchedule.list(starts, duration: .seconds(30))
        let all = schedule.breaks(in: try Self.time("2026-11-21T00:00:00Z")..<Self.time("2026-11-22T00:00:00Z"))
        #expect(all.map(\.start.iso8601) == ["2026-11-21T20:00:00.000Z", "2026-11-21T21:00:00.000Z"])
        #expect(all.map(\.ordinal) == [1, 2])
        #expect(schedule.next(after: try Self.time("2026-11-21T20:00:00Z"))?.ordinal == 2)
        #expect(schedule.next(after: try Self.time("2026-11-21T21:00:00Z")) == nil)
        #expect(schedule.breaks(in: try Self.time("2026-11-21T20:00:01Z")..<Self.time("2026-11-21T21:00:00Z")).isEmpty)
    }
}
