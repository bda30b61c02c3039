import AdServing
import HLS
import Testing

@Suite struct BreakScheduleTests {
    private static func time(_ text: String) throws -> WallTime {
        try #require(WallTime(iso8601: text))
    }

    private func everyMinute() throws -> BreakSchedule {
        .every(
            interval: .seconds(60),
            epoch: try Self.time("2026-11-21T20:00:00Z"),
            firstOffset: .seconds(15),
            duration: .seconds(10)
        )
    }

    @Test(arguments: [
        ("2026-11-21T19:00:00Z", "2026-11-21T20:00:15.000Z", 1),
        ("2026-11-21T20:00:14.999999Z", "2026-11-21T20:00:15.000Z", 1),
        ("2026-11-21T20:00:15Z", "2026-11-21T20:01:15.000Z", 2),
        ("2026-11-21T20:01:14Z", "2026-11-21T20:01:15.000Z", 2),
        ("2026-11-22T20:00:15Z", "2026-11-22T20:01:15.000Z", 1_442),
    ])
    func theNextBreakStartsLater(_ now: String, _ start: String, _ ordinal: Int) throws {
        let next = try #require(try everyMinute().next(after: try Self.time(now)))
        #expect(next.start.iso8601 == start)
        #expect(next.key == start)
        #expect(next.ordinal == ordinal)
        #expect(next.duration == .seconds(10))
        #expect(next.end == next.start + .seconds(10))
        #expect(next.dateRangeID == nil)
    }

    @Test func theBreaksOfARangeStartInIt() throws {
        let range = try Self.time("2026-11-21T20:00:15Z")..<Self.time("2026-11-21T20:03:15Z")
        let breaks = try everyMinute().breaks(in: range)
        #expect(breaks.map(\.ordinal) == [1, 2, 3])
        #expect(breaks.first?.start == range.lowerBound)
        let empty = try Self.time("2026-11-21T20:00:16Z")..<Self.time("2026-11-21T20:01:15Z")
        #expect(try everyMinute().breaks(in: empty).isEmpty)
    }

    /// A third of a second does not add up; an index does.
    @Test func breaksDoNotDrift() throws {
        let epoch = try Self.time("2026-11-21T20:00:00Z")
        let schedule = BreakSchedule.every(
            interval: .microseconds(333_333),
            epoch: epoch,
            firstOffset: .zero,
            duration: .zero
        )
        let late = try #require(schedule.next(after: epoch + .microseconds(333_333 * 1_000_000 - 1)))
        #expect(late.start == epoch + .microseconds(333_333 * 1_000_000))
        #expect(late.ordinal == 1_000_001)
    }

    @Test func withoutAnIntervalThereIsOneBreak() throws {
        let epoch = try Self.time("2026-11-21T20:00:00Z")
        for interval in [Duration.zero, .seconds(-60)] {
            let schedule = BreakSchedule.every(
                interval: interval,
                epoch: epoch,
                firstOffset: .seconds(5),
                duration: .seconds(1)
            )
            #expect(schedule.next(after: epoch)?.ordinal == 1)
            #expect(schedule.next(after: epoch + .seconds(5)) == nil)
            #expect(schedule.breaks(in: epoch..<(epoch + .seconds(600))).count == 1)
        }
    }

    @Test func theEndsOfTimeDoNotTrap() throws {
        let schedule = try everyMinute()
        #expect(schedule.next(after: WallTime(microseconds: .max)) == nil)
        #expect(schedule.next(after: WallTime(microseconds: .min))?.ordinal == 1)
        #expect(schedule.breaks(in: WallTime(microseconds: .min)..<WallTime(microseconds: 0)).isEmpty)
        let early = BreakSchedule.every(
            interval: .seconds(1),
            epoch: WallTime(microseconds: .min),
            firstOffset: .zero,
            duration: .zero
        )
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

    @Test func aDateRangeIsABreak() throws {
        let start = try Self.time("2026-11-21T20:00:00Z")
        let range = DateRange(id: "break-1", startDate: start, plannedDuration: .seconds(30))
        let scheduled = try #require(ScheduledBreak(dateRange: range, ordinal: 4))
        #expect(scheduled.key == "break-1")
        #expect(scheduled.dateRangeID == "break-1")
        #expect(scheduled.start == start)
        #expect(scheduled.duration == .seconds(30))
        #expect(scheduled.ordinal == 4)
        #expect(ScheduledBreak(dateRange: DateRange(id: "a", startDate: start), ordinal: 1) == nil)
        #expect(ScheduledBreak(dateRange: DateRange(id: "a", plannedDuration: .seconds(1)), ordinal: 1) == nil)
    }
}
