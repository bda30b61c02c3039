import Testing
import Values

/// One reading ties the two clocks of a run together.
@Suite struct TimebaseTests {
    private static let start = Instant(nanoseconds: 1_000_000_000_000)
    private static let wallStart = WallTime(microseconds: 1_795_291_200_000_000)
    private let timebase = Timebase(start: Self.start, wallStart: Self.wallStart)

    @Test func thereAndBackIsTheSameInstant() {
        for step in Int64(-1000)...1000 {
            let offset = step &* 92_233_720_368_547
            let wall = WallTime(microseconds: Self.wallStart.microseconds + offset / 20)
            #expect(timebase.wall(at: timebase.instant(of: wall)) == wall, "offset \(offset) us")
        }
    }

    private static let farInstants: [Int64] = [
        .min, -4_611_686_018_427_387_904, -9_000_000_000_000_000_000, -1, 0, 1, 9_000_000_000_000_000_000, .max,
        1_795_291_200_000_000 + 9_223_372_036_854_775, 1_795_291_200_000_000 - 9_223_372_036_854_775,
    ]

    @Test(arguments: Self.farInstants)
    func noInstantTrapsOrChangesSides(microseconds: Int64) {
        let wall = WallTime(microseconds: microseconds)
        #expect((timebase.instant(of: wall) >= Self.start) == (wall >= Self.wallStart))
    }

    @Test(arguments: [Instant.distantPast, .distantFuture, Instant(nanoseconds: 0)])
    func anyInstantHasAWallTimeOnItsSideOfTheStart(instant: Instant) {
        #expect((timebase.wall(at: instant) >= Self.wallStart) == (instant >= Self.start))
    }
}
