import Profile
import Rehearsal
import Results
import Testing
import Values

@Suite struct AwaitedBreaksTests {
    private let awaited = AwaitedBreaks(viewers: 300, count: 5, longest: .seconds(600), joinsPerSecond: 50)

    @Test func anAudienceJoinsAtTheProfilesPaceAndStays() {
        #expect((awaited.joining, awaited.settled, awaited.duration) == (.seconds(6), .seconds(16), .seconds(616)))
        let course = RunCourse.awaited(awaited)
        #expect((course.viewers, course.duration) == (300, awaited.duration))
        #expect(course.planned(at: .seconds(3)) == 150)
        for second in [6, 16, 300, 615] { #expect(course.planned(at: .seconds(second)) == 300) }
        let stays = AudienceCurve(viewers: 300, points: course.points).stays(seed: 1)
        for second in [7, 615] {
            let instant = Duration.seconds(second).nanosecondsHeld
            #expect(stays.count { $0.from <= instant && $0.until > instant } == 300)
        }
    }

    @Test func whatNobodyShouldAskForIsBroughtWithinBounds() {
        let least = AwaitedBreaks(viewers: 0, count: 0, longest: .zero, joinsPerSecond: 0)
        #expect((least.viewers, least.count) == (1, 1))
        #expect(least.longest > .zero)
        #expect(least.joining <= .seconds(86_400))
    }

    /// A channel may have no break for long: that is nothing that the target missed.
    @Test func onlyAConditionThatEndsTheRunIsAMissedBreak() {
        let course = RunCourse.awaited(awaited)
        let counted = JudgedBreak.lost(startMicroseconds: 5_000_000, planned: 300, reason: "counted")
        func all(_ judged: [JudgedBreak], abortedBy: String?) -> [String] {
            course.withLost(judged, start: 0, end: 616_000_000, grace: .seconds(1), abortedBy: abortedBy)
                .map { "\($0.planned) \($0.outcome.rawValue): \($0.broken.joined())" }
        }
        #expect(all([], abortedBy: nil).isEmpty)
        #expect(all([counted], abortedBy: nil) == ["300 missed: counted"])
        let ended = "300 missed: the run was ended by all.errors > 50%"
        #expect(all([], abortedBy: "all.errors > 50%") == [ended])
        #expect(all([counted], abortedBy: "all.errors > 50%") == ["300 missed: counted", ended])
    }
}
