import Conformance
import Rulebook
import Testing

@Suite struct RenditionDeviationsTests {
    private let violation = Violation(.renditionEdgeLags, expected: "", observed: "")
    private let other = Violation(.renditionTypeDiffers, expected: "", observed: "")

    @Test func aChangeThatReachesBothCountsForNeither() {
        var deviations = RenditionDeviations()
        #expect(deviations.confirmed([violation], beside: 1) == [])
        #expect(deviations.confirmed([], beside: 2) == [])
        #expect(deviations.confirmed([violation], beside: 3) == [])
    }

    @Test func whatDiffersFromTwoVersionsCounts() {
        var deviations = RenditionDeviations()
        #expect(deviations.confirmed([violation], beside: 1) == [])
        #expect(deviations.confirmed([violation, other], beside: 2) == [violation])
        #expect(deviations.confirmed([violation, other], beside: 3) == [violation, other])
    }

    /// Two edges of one playlist whose texts differ are asked in turns, while the other playlist is loaded once.
    @Test func whatCountsForOneVersionCountsForThoseThatComeWithIt() {
        var deviations = RenditionDeviations()
        #expect(deviations.confirmed([violation], beside: 1) == [])
        #expect(deviations.confirmed([violation], beside: 1) == [])
        for reference in 2..<5 {
            #expect(deviations.confirmed([violation], beside: reference) == [violation])
            #expect(deviations.confirmed([violation], beside: reference) == [violation])
        }
        #expect(deviations.confirmed([other], beside: 4) == [])
        #expect(deviations.confirmed([violation, other], beside: 4) == [])
    }

    @Test func oneVersionOfTheOtherIsNotTwo() {
        var deviations = RenditionDeviations()
        #expect(deviations.confirmed([violation], beside: 1) == [])
        #expect(deviations.confirmed([violation, other], beside: 1) == [])
        #expect(deviations.confirmed([violation, other], beside: 2) == [violation])
        deviations.forget()
        #expect(deviations.confirmed([violation], beside: 3) == [])
    }
}
