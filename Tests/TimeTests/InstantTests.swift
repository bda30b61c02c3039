import Testing
import Values

/// Instants and durations stay within what can be held, whatever a server or a plan names.
@Suite struct InstantTests {
    @Test func momentsAreHeldAtTheEndsOfTime() {
        #expect(Instant.distantFuture.later(by: 1) == .distantFuture)
        #expect(Instant.distantPast.earlier(by: 1) == .distantPast)
        #expect(Instant.distantPast.earlier(by: Int64.min) == Instant(nanoseconds: 0))
        #expect(Instant(nanoseconds: 5).later(by: -7) == Instant(nanoseconds: -2))
        #expect(Instant(nanoseconds: 5).later(by: .seconds(Int64.max)) == .distantFuture)
        #expect(Instant(nanoseconds: 5).earlier(by: .milliseconds(1)) == Instant(nanoseconds: -999_995))
    }

    @Test func theTimeBetweenTwoIsHeldToo() {
        #expect(Instant.distantFuture.nanoseconds(since: .distantPast) == .max)
        #expect(Instant.distantPast.nanoseconds(since: .distantFuture) == .min)
        #expect(Instant(nanoseconds: 7).nanoseconds(since: Instant(nanoseconds: 9)) == -2)
        #expect(Instant(nanoseconds: 9).duration(since: Instant(nanoseconds: 7)) == .nanoseconds(2))
    }

    @Test func momentsAreOrderedAsTheClockGoes() {
        let moments = [Instant.distantPast, Instant(nanoseconds: -1), Instant(nanoseconds: 0), .distantFuture]
        #expect(moments.reversed().sorted() == moments)
    }

    private static let durations: [(Duration, Int64)] = [
        (.seconds(1), 1_000_000_000), (.nanoseconds(-3), -3), (.seconds(Int64.max), .max), (.seconds(Int64.min), .min),
        (.zero, 0), (Duration(secondsComponent: 0, attosecondsComponent: -1_999_999_999), -1),
    ]

    @Test(arguments: Self.durations)
    func durationsAreHeldAtTheEndsOfNanoseconds(duration: Duration, nanoseconds: Int64) {
        #expect(duration.nanosecondsHeld == nanoseconds)
    }

    @Test func coarserUnitsRoundTowardsZero() {
        #expect(Duration.nanoseconds(1_999).wholeMicroseconds == 1)
        #expect(Duration.nanoseconds(-1_999).wholeMicroseconds == -1)
        #expect(Duration.microseconds(1_999).millisecondsHeld == 1)
        #expect(Duration.seconds(Int64.max).millisecondsHeld == .max)
        #expect(Duration.seconds(Int64.min).wholeMicroseconds == .min)
    }

    @Test func arithmeticIsHeldAtBothEnds() {
        #expect(Int64.max.addingClamped(1) == .max)
        #expect(Int64.min.addingClamped(-1) == .min)
        #expect(Int64.min.subtractingClamped(1) == .min)
        #expect(Int64.max.subtractingClamped(-1) == .max)
        #expect(UInt64.min.subtractingClamped(1) == .min)
        #expect(Int64.max.multipliedClamped(by: -2) == .min)
        #expect(Int64.min.multipliedClamped(by: -1) == .max)
        #expect(Int64(6).multipliedClamped(by: 7) == 42)
        #expect(UInt64.max.multipliedClamped(by: 2) == .max)
    }
}
