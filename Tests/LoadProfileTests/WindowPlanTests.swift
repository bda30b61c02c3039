import Testing

@testable import Profile

@Suite struct WindowPlanTests {
    @Test(arguments: [
        (1, 1), (120, 1), (121, 2), (240, 2), (241, 5), (600, 5), (601, 10), (1_200, 10), (3_600, 30), (3_601, 60),
        (7_200, 60), (14_400, 120), (14_401, 300), (28_800, 300), (2_592_000, 300),
    ]) func aRunHasAtMost120WindowsOfAUsualLengthUpToFiveMinutes(seconds: Int, length: Int) {
        #expect(WindowPlan().length(forRunOf: .seconds(seconds)) == .seconds(length))
    }

    @Test func whatTheProfileSaysGoes() {
        let plan = WindowPlan(length: .seconds(7), warmUp: .zero)
        #expect(plan.length(forRunOf: .seconds(28_800)) == .seconds(7))
        #expect(plan.soakWarmUp(ramp: .seconds(60), duration: .seconds(600)) == .zero)
    }

    @Test(arguments: [(60, 28_800, 300), (601, 28_800, 900), (1, 60, 15), (30, 1_200, 300), (1, 14, 4)])
    func aSoakWarmsUpForItsRampAndItsFirstBreaks(ramp: Int, duration: Int, expected: Int) {
        let warmUp = WindowPlan().soakWarmUp(ramp: .seconds(ramp), duration: .seconds(duration))
        #expect(warmUp == .seconds(expected))
    }
}
