import Profile
import Rehearsal
import Results
import Testing
import Values

@Suite struct RunCourseTests {
    static let timetables: [RunCourse] = (UInt64(0)..<60).map { seed in
        var chance = SplitMix64(seed: seed)
        let most = [3, 100, 5_000, 1_000_000][Int(chance.next() % 4)]
        let count = 1 + Int(chance.next() % 12)
        return RunCourse(
            sizes: (0..<count).map { _ in 1 + Int(chance.next() % UInt64(most)) },
            spacing: .milliseconds(1_000 + Int64(chance.next() % 60_000)),
            joinsPerSecond: 0.5 + chance.unit() * 1_000
        )
    }

    /// Time after the last break until it can be judged, which is that between two breaks.
    private static func spacing(of timetable: RunCourse) -> Duration {
        timetable.duration - (timetable.breaks.last ?? .zero)
    }

    /// Nothing is counted of a break for which nobody is left, nor of one in which a condition ends the run.
    @Test func breaksOfWhichNothingWasCountedAreMissed() {
        let timetable = RunCourse(sizes: [10, 20, 30], spacing: .seconds(10), joinsPerSecond: 10)
        let starts = timetable.breaks.map { 1_000_000_000 + Int64($0 / .microseconds(1)) }
        let first = JudgedBreak.lost(startMicroseconds: starts[0], planned: 10, reason: "counted")
        func all(until end: Int64, abortedBy: String? = nil) -> [String] {
            timetable.withLost([first], start: 1_000_000_000, end: end, grace: .seconds(1), abortedBy: abortedBy)
                .map { "\($0.planned) \($0.outcome.rawValue): \($0.broken.joined())" }
        }
        let counted = "10 missed: counted"
        #expect(all(until: starts[1]) == [counted])
        #expect(all(until: starts[1] + 2_000_000) == [counted])
        #expect(all(until: starts[1] + 3_000_000) == [counted, "20 missed: no viewer was due"])
        let ended = "20 missed: the run was ended by all.errors > 50%"
        #expect(all(until: starts[1] + 1, abortedBy: "all.errors > 50%") == [counted, ended])
    }

    @Test(arguments: timetables) func breaksAreASpacingApartAndTheLastOneHasOneToBeJudged(timetable: RunCourse) {
        let (points, breaks, spacing) = (timetable.points, timetable.breaks, Self.spacing(of: timetable))
        #expect(points.first == CurvePoint(at: .zero, share: 0) && points.map(\.share).max() == 1)
        #expect(zip(points, points.dropFirst()).allSatisfy { $0.at < $1.at })
        #expect(points.allSatisfy { $0.at < timetable.duration && (0...1).contains($0.share) })
        #expect(breaks.allSatisfy { $0 > timetable.joining && $0 < timetable.duration })
        #expect(zip(breaks, breaks.dropFirst()).allSatisfy { $1 - $0 == spacing })
        #expect(breaks.last.map { $0 + spacing } == timetable.duration && spacing >= RunCourse.leastSpacing)
    }

    /// As its size says, from a quarter before a break to half after it.
    @Test(arguments: timetables) func atEachBreakAsManyArePlannedAndThere(timetable: RunCourse) {
        let spacing = Self.spacing(of: timetable)
        #expect(timetable.viewers == timetable.sizes.max())
        // Of a million there are as many, and it takes longer to count them.
        let isCounted = timetable.viewers <= 5_000
        let curve = AudienceCurve(viewers: timetable.viewers, points: timetable.points)
        let stays = isCounted ? curve.stays(seed: 1) : []
        for (start, size) in zip(timetable.breaks, timetable.sizes) {
            let before = max(timetable.joining, start - spacing / 4)
            for instant in [before, start - .milliseconds(1), start, start + .milliseconds(1), start + spacing / 2] {
                #expect(timetable.planned(at: instant) == size)
            }
            let instant = start.nanosecondsHeld
            #expect(!isCounted || stays.count { $0.from <= instant && $0.until > instant } == size)
        }
    }

    @Test func theFirstAudienceJoinsAtTheProfilesPace() {
        let timetable = RunCourse(sizes: [300, 600], spacing: .seconds(20), joinsPerSecond: 50)
        #expect((timetable.joining, timetable.breaks) == (.seconds(6), [.seconds(11), .seconds(31)]))
        #expect(timetable.duration == .seconds(51))
        #expect(timetable.planned(at: .seconds(3)) == 150)
        #expect(timetable.planned(at: .milliseconds(23_500)) == 450)
    }

    @Test func whatNobodyShouldAskForIsBroughtWithinBounds() {
        let timetable = RunCourse(sizes: [0, -4], spacing: .zero, joinsPerSecond: 0)
        #expect((timetable.sizes, Self.spacing(of: timetable)) == ([1, 1], RunCourse.leastSpacing))
        #expect(timetable.joining <= .seconds(86_400))
        #expect(RunCourse(sizes: [9], spacing: .seconds(4), joinsPerSecond: 1e9).joining == .seconds(1))
        let empty = RunCourse(sizes: [], spacing: .seconds(4), joinsPerSecond: 1)
        #expect(empty.breaks.isEmpty)
        #expect(empty.viewers == 1)
    }
}

@Suite struct AwaitedBreaksTests {
    private let awaited = RunCourse(viewers: 300, count: 5, longest: .seconds(600), joinsPerSecond: 50)

    @Test func anAudienceJoinsAtTheProfilesPaceAndStays() {
        #expect((awaited.joining, awaited.firstJudged, awaited.duration) == (.seconds(6), .seconds(16), .seconds(616)))
        #expect(awaited.viewers == 300)
        #expect(awaited.planned(at: .seconds(3)) == 150)
        for second in [6, 16, 300, 615] { #expect(awaited.planned(at: .seconds(second)) == 300) }
        let stays = AudienceCurve(viewers: 300, points: awaited.points).stays(seed: 1)
        for second in [7, 615] {
            let instant = Duration.seconds(second).nanosecondsHeld
            #expect(stays.count { $0.from <= instant && $0.until > instant } == 300)
        }
    }

    @Test func whatNobodyShouldAskForIsBroughtWithinBounds() {
        let least = RunCourse(viewers: 0, count: 0, longest: .zero, joinsPerSecond: 0)
        #expect((least.viewers, least.enough) == (1, 1))
        #expect(least.duration > least.firstJudged)
        #expect(least.joining <= .seconds(86_400))
    }

    /// A channel may have no break for long: that is nothing that the target missed.
    @Test func onlyAConditionThatEndsTheRunIsAMissedBreak() {
        let counted = JudgedBreak.lost(startMicroseconds: 5_000_000, planned: 300, reason: "counted")
        func all(_ judged: [JudgedBreak], abortedBy: String?) -> [String] {
            awaited.withLost(judged, start: 0, end: 616_000_000, grace: .seconds(1), abortedBy: abortedBy)
                .map { "\($0.planned) \($0.outcome.rawValue): \($0.broken.joined())" }
        }
        #expect(all([], abortedBy: nil).isEmpty)
        #expect(all([counted], abortedBy: nil) == ["300 missed: counted"])
        let ended = "300 missed: the run was ended by all.errors > 50%"
        #expect(all([], abortedBy: "all.errors > 50%") == [ended])
        #expect(all([counted], abortedBy: "all.errors > 50%") == ["300 missed: counted", ended])
    }
}
