import Comparison
import Testing

@Suite struct StatisticsTests {
    @Test(arguments: [([3.0], 3.0), ([4, 1], 2.5), ([5, 1, 3], 3), ([1, 2, 3, 10], 2.5)])
    func theMedianIsTheMiddle(values: [Double], expected: Double) {
        #expect(OrderStatistics.median(values) == expected)
    }
}
