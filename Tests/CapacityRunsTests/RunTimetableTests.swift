import Profile
import Rehearsal
import Results
import Testing
import Values

@Suite struct RunTimetableTests {
    /// Sizes, spacings and paces of all kinds.
    static let timetables: [RunTimetable] = (UInt64(0)..<60).map { seed in
        var chance = SplitMix64(seed: seed)
        let most = [3, 100, 5_000, 1_000_000][Int(chance.next() % 4)]
        let count = 1 + Int(chance.next() % 12)
        return RunTimetable(
            sizes: (0..<count).map { _ in 1 + Int(chance.next() % UInt64(most)) },
            spacing: .milliseconds(1_000 + Int64(chance.next() % 60_000)),
            joinsPerSecond: 0.5 + chance.unit() * 1_000
        )
    }

    /// Nothing is counted of a break for which nobody is left, nor of one in which a condition ends the run.
    @Test func breaksOfWhichNothingWasCountedAreMissed() {
        let timetable = RunTimetable(sizes: [10, 20, 30], spacing: .seconds(10), joinsPerSecond: 10)
        let starts = timetable.breaks.map { 1_000_000_000 + Int64($0 / .microseconds(1)) }
        let first = JudgedBreak.lost(startMicroseconds: starts[0], planned: 10, reason: "counted")
        func all(until end: Int64, abortedBy: String? = nil) -> [String] {
            timetable.withLost([first], start: 1_000_000_000, end: end, grace: .seconds(1), abortedBy: abortedBy)
                .map { "\($0.planned) \($0.outcome.rawValue): \($0.broken.joined())" }
        }
        let counted = "10 missed: counted"
        #expect(all(until: starts[1]) == [counted])
        #expect(all(until: starts[1] + 2_000_000) == [counted])
        #expect(all(until: starts[1] + 3_000_000) == [counted, "20 missed: nobody was due"])
        let ended = "20 missed: the run was ended by all.errors > 50%"
        #expect(all(until: starts[1] + 1, abortedBy: "all.errors > 50%") == [counted, ended])
    }

    @Test(arguments: timetables) func breaksAreASpacingApartAndTheLastOneHasOneToBeJudged(timetable: RunTimetable) {
        let (points, breaks, spacing) = (timetable.points, timetable.breaks, timetable.spacing)
        #expect(points.first == CurvePoint(at: .zero, share: 0) && points.map(\.share).max() == 1)
        #expect(zip(points, points.dropFirst()).allSatisfy { $0.at < $1.at })
        #expect(points.allSatisfy { $0.at < timetable.duration && (0...1).contains($0.share) })
        #expect(breaks.allSatisfy { $0 > timetable.joining && $0 < timetable.duration })
        #expect(zip(breaks, breaks.dropFirst()).allSatisfy { $1 - $0 == spacing })
        #expect(breaks.last.map { $0 + spacing } == timetable.duration && spacing >= RunTimetable.leastSpacing)
    }

    /// As its size says, from a quarter before a break to half after it.
    @Test(arguments: timetables) func atEachBreakAsManyArePlannedAndThere(timetable: RunTimetable) {
        let (course, spacing) = (RunCourse.listed(timetable), timetable.spacing)
        #expect(timetable.viewers == timetable.sizes.max())
        // Of a million there are as many, and it takes longer to count them.
        let isCounted = timetable.viewers <= 5_000
        let curve = AudienceCurve(viewers: timetable.viewers, points: timetable.points)
        let stays = isCounted ? curve.stays(seed: 1) : []
        for (start, size) in zip(timetable.breaks, timetable.sizes) {
            let before = max(timetable.joining, start - spacing / 4)
            for instant in [before, start - .milliseconds(1), start, start + .milliseconds(1), start + spacing / 2] {
                #expect(course.planned(at: instant) == size)
            }
            let instant = start.nanosecondsHeld
            #expect(!isCounted || stays.count { $0.from <= instant && $0.until > instant } == size)
        }
    }

    @Test func theFirstAudienceJoinsAtTheProfilesPace() {
        let timetable = RunTimetable(sizes: [300, 600], spacing: .seconds(20), joinsPerSecond: 50)
        #expect((timetable.joining, timetable.breaks) == (.seconds(6), [.seconds(11), .seconds(31)]))
        #expect(timetable.duration == .seconds(51))
        #expect(RunCourse.listed(timetable).planned(at: .seconds(3)) == 150)
        #expect(RunCourse.listed(timetable).planned(at: .milliseconds(23_500)) == 450)
    }

    @Test func whatNobodyShouldAskForIsBroughtWithinBounds() {
        let timetable = RunTimetable(sizes: [0, -4], spacing: .zero, joinsPerSecond: 0)
        #expect((timetable.sizes, timetable.spacing) == ([1, 1], RunTimetable.leastSpacing))
        #expect(timetable.joining <= .seconds(86_400))
        #expect(RunTimetable(sizes: [9], spacing: .seconds(4), joinsPerSecond: 1e9).joining == .seconds(1))
        let empty = RunTimetable(sizes: [], spacing: .seconds(4), joinsPerSecond: 1)
        #expect(empty.breaks.isEmpty)
        #expect(empty.viewers == 1)
    }
}
