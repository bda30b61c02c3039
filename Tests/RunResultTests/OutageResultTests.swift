import Foundation
import Recording
import Rulebook
import Testing

@testable import RunResult

/// Stretches in which a channel could not be loaded, told from a run's steps.
@Suite struct OutageResultTests {
    /// One second of ten viewers, each of whom asks for a playlist every two seconds when all is well.
    private struct Second {
        var playlists: UInt64 = 5
        var failed: UInt64 = 0
        var viewers: Int64 = 10
        var change: (inout SeriesCourse) -> Void = { _ in }
    }

    private func series(_ seconds: [Second]) -> SeriesResult {
        var series = TimeSeries()
        for (number, second) in seconds.enumerated() {
            var counts = IntervalCounts()
            counts.requests = second.playlists
            counts.errors = second.failed
            counts.activeViewers = second.viewers
            var course = SeriesCourse()
            course.requests = ["playlist": second.playlists]
            if second.failed > 0 { course.errors = ["playlist": second.failed] }
            second.change(&course)
            series.append(
                counts,
                health: HealthSample(wallMicroseconds: 0),
                offsetMilliseconds: Int64(number) * 1_000,
                course: course
            )
        }
        return SeriesResult(series)
    }

    private func well(_ seconds: Int) -> [Second] { Array(repeating: Second(), count: seconds) }
    private func dead(_ seconds: Int, asked: UInt64 = 5) -> [Second] {
        Array(repeating: Second(playlists: asked, failed: asked), count: seconds)
    }

    @Test func aRunWithoutFailuresHasNone() {
        #expect(OutageResult.all(in: series(well(60))) == nil)
    }

    @Test func anOutageLastsFromItsFirstBadStepToTheEndOfItsLast() throws {
        let all = try #require(OutageResult.all(in: series(well(30) + dead(20, asked: 15) + well(20))))
        let outage = try #require(all.first)
        #expect(all.count == 1)
        #expect(outage.beganMilliseconds == 30_000 && outage.endedMilliseconds == 50_000)
        #expect(outage.requests == 300 && outage.errors == 300)
        #expect(outage.requestsPerSecondBefore == 5 && outage.requestsPerSecondMaximum == 15)
        #expect(outage.recoveryMilliseconds == 0)
    }

    private func silence(_ seconds: Int) -> [Second] { Array(repeating: Second(playlists: 0), count: seconds) }

    @Test func lessThanTenSecondsOfAnswersArePartOfIt() throws {
        let all = try #require(OutageResult.all(in: series(well(30) + dead(5) + well(9) + dead(5) + well(20))))
        #expect(all.map(\.beganMilliseconds) == [30_000] && all.map(\.endedMilliseconds) == [49_000])
        let longer = try #require(OutageResult.all(in: series(well(30) + dead(5) + well(10) + dead(5) + well(20))))
        #expect(longer.map(\.beganMilliseconds) == [30_000, 45_000])
    }

    /// Nobody asks because all players have given up: that ends nothing, however long it is.
    @Test func silenceIsPartOfItAndNoRecovery() throws {
        let course = well(30) + dead(5) + silence(40) + dead(5) + well(3) + silence(20)
        let outage = try #require(OutageResult.all(in: series(course + well(20))))
        #expect(outage.map(\.beganMilliseconds) == [30_000] && outage.map(\.endedMilliseconds) == [80_000])
        // Things are as before when viewers are answered as often as before, not when the first is.
        #expect(outage.map(\.recoveryMilliseconds) == [23_000])
        #expect(try #require(OutageResult.all(in: series(course))?.first).recoveryMilliseconds == nil)
    }

    /// Where there was no half minute before, errors alone decide, of which there are none where nobody asks.
    @Test func silenceIsNoRecoveryOfARunThatBeganWithTheOutage() throws {
        let course = dead(5) + silence(20)
        #expect(try #require(OutageResult.all(in: series(course))?.first).recoveryMilliseconds == nil)
        let back = try #require(OutageResult.all(in: series(course + well(10)))?.first)
        #expect(back.endedMilliseconds == 5_000 && back.recoveryMilliseconds == 20_000)
    }

    @Test func aFewFailuresAreNoOutage() {
        #expect(OutageResult.all(in: series(well(30) + dead(1, asked: 4) + well(20))) == nil)
        let half = Array(repeating: Second(playlists: 10, failed: 4), count: 20)
        #expect(OutageResult.all(in: series(well(30) + half + well(20))) == nil)
    }

    @Test func thingsAreAsBeforeWhenAllWhoAreThereAreAnsweredAsOften() throws {
        // Six of ten players have given up, and come back after twelve seconds: one slow second of ten is nine tenths.
        let shed = Array(repeating: Second(playlists: 2), count: 12)
        let outage = try #require(OutageResult.all(in: series(well(30) + dead(20) + shed + well(20)))?.first)
        #expect(outage.recoveryMilliseconds == 11_000)
        // Who left for good is not waited for.
        let left = Array(repeating: Second(playlists: 2, viewers: 4), count: 30)
        #expect(OutageResult.all(in: series(well(30) + dead(20) + left))?.first?.recoveryMilliseconds == 0)
    }

    /// Six of ten have closed the application; the four who are there are answered as before.
    @Test func whoWillComeBackIsWaitedFor() throws {
        var seconds = well(30) + dead(20) + Array(repeating: Second(playlists: 2, viewers: 4), count: 20) + well(20)
        seconds[45].change = { $0.abandoned = 6 }
        seconds[70].change = { $0.reopened = 6 }
        #expect(OutageResult.all(in: series(seconds))?.first?.recoveryMilliseconds == 19_000)
    }

    @Test func whatTheRunDoesNotShowIsNoRecovery() throws {
        let short = try #require(OutageResult.all(in: series(well(30) + dead(20) + well(9)))?.first)
        #expect(short.recoveryMilliseconds == nil)
        let never = Array(repeating: Second(playlists: 2), count: 60)
        #expect(OutageResult.all(in: series(well(30) + dead(20) + never))?.first?.recoveryMilliseconds == nil)
    }

    @Test func whoGaveUpAndWhoCameBackIsCountedToTheRecovery() throws {
        var seconds = well(30) + dead(20) + Array(repeating: Second(playlists: 2), count: 5) + well(20)
        seconds[33].change = {
            $0.stopped = 6
            $0.retries = 12
        }
        seconds[40].change = {
            $0.closed = 5
            $0.abandoned = 5
            $0.lost = 1
        }
        seconds[52].change = { $0.reopened = 4 }
        seconds[70].change = { $0.retries = 100 }
        let run = series(seconds)
        let outage = try #require(OutageResult.all(in: run)?.first)
        #expect(outage.retries == 12 && outage.abandoned == 5 && outage.reopened == 4)
        #expect(outage.stoppedViewersMaximum == 6)
        #expect(run.stoppedViewers[39] == 6 && run.stoppedViewers.last == 1)
        #expect(run.comingBack[39] == 0 && run.comingBack[40] == 4 && run.comingBack.last == 0)
    }

    @Test func aSecondOutageIsHeldAgainstWhatCameBetween() throws {
        let all = try #require(OutageResult.all(in: series(well(30) + dead(10) + well(20) + dead(10) + well(20))))
        #expect(all.map(\.requestsPerSecondBefore) == [5, 5])
        #expect(all.map(\.recoveryMilliseconds) == [0, 0])
    }

    /// The first was not over when the second began: what comes from then on is the second's.
    @Test func nothingIsCountedForTwoOutages() throws {
        let shed = Array(repeating: Second(playlists: 2), count: 20)
        var seconds = well(30) + dead(10) + shed + dead(10, asked: 15) + well(20)
        seconds[35].change = {
            $0.retries = 7
            $0.stopped = 6
            $0.abandoned = 2
        }
        seconds[65].change = {
            $0.retries = 90
            $0.abandoned = 3
        }
        let all = try #require(OutageResult.all(in: series(seconds)))
        #expect(all.map(\.beganMilliseconds) == [30_000, 60_000])
        #expect(all.map(\.recoveryMilliseconds) == [nil, 0])
        #expect(all.map(\.retries) == [7, 90] && all.map(\.abandoned) == [2, 3])
        #expect(all.map(\.requestsPerSecondMaximum) == [5, 15])
    }

    @Test func aCourseIsReadAsItWasWritten() throws {
        var course = SeriesCourse()
        #expect(String(decoding: try JSONEncoder().encode(course), as: UTF8.self) == "{}")
        course.requests = ["playlist": 3]
        course.errors = ["playlist": 2]
        (course.retries, course.stopped, course.closed) = (4, 5, 6)
        (course.abandoned, course.reopened, course.lost) = (7, 8, 9)
        #expect(try JSONDecoder().decode(SeriesCourse.self, from: JSONEncoder().encode(course)) == course)
    }
}
