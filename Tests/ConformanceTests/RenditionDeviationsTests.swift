import Rules
import Testing

@Suite struct RenditionDeviationsTests {
    private let violation = Violation(.renditionEdgeLags, expected: "", observed: "")
    private let other = Violation(.renditionTypeDiffers, expected: "", observed: "")

    private func confirmed(_ looks: ([Violation], beside: Int)...) -> [[Violation]] {
        var deviations = RenditionDeviations()
        return looks.map { deviations.confirmed($0, beside: $1) }
    }

    @Test func aChangeThatReachesBothCountsForNeither() {
        #expect(confirmed(([violation], 1), ([], 2), ([violation], 3)) == [[], [], []])
    }

    @Test func whatDiffersFromTwoVersionsCounts() {
        let both = [violation, other]
        #expect(confirmed(([violation], 1), (both, 2), (both, 3)) == [[], [violation], both])
    }

    /// Two edges of one playlist whose texts differ are asked in turns, while the other playlist is loaded once.
    @Test func whatCountsForOneVersionCountsForThoseThatComeWithIt() {
        let one = [violation]
        let found = confirmed(
            (one, 1),
            (one, 1),
            (one, 2),
            (one, 2),
            (one, 3),
            (one, 3),
            (one, 4),
            (one, 4),
            ([other], 4),
            ([violation, other], 4)
        )
        #expect(found == [[], [], one, one, one, one, one, one, [], []])
    }

    @Test func oneVersionOfTheOtherIsNotTwo() {
        let both = [violation, other]
        #expect(confirmed(([violation], 1), (both, 1), (both, 2)) == [[], [], [violation]])
        var deviations = RenditionDeviations()
        _ = deviations.confirmed([violation], beside: 1)
        deviations.forget()
        #expect(deviations.confirmed([violation], beside: 2) == [])
    }
}
