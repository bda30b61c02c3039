import Rules
import Testing

@Suite struct MetricTextTests {
    @Test(
        arguments: [
            (0, "0 µs"), (740, "740 µs"), (1_000, "1.00 ms"), (9_990, "9.99 ms"), (12_340, "12.3 ms"),
            (250_000, "250 ms"),
            (1_500_000, "1.50 s"), (-2_500, "-2.50 ms"), (3_600_000_000, "3600.00 s"),
        ] as [(Double, String)]
    )
    func durationsCarryAReadableUnit(microseconds: Double, text: String) {
        #expect(MetricText.time(microseconds: microseconds) == text)
    }

    @Test(
        arguments: [
            (0, "0%"), (100, "100%"), (99.9, "99.9%"), (99.999, ">99.99%"), (0.001, "<0.01%"), (50, "50%"),
            (33.333, "33.33%"),
        ] as [(Double, String)]
    )
    func percentagesAreNeverRoundedToAllOrNothing(percent: Double, text: String) {
        #expect(MetricText.percent(percent) == text)
    }

    @Test(
        arguments: [
            (5_000, "5000"), (0.5, "0.5"), (-0.25, "-0.25"), (100, "100"), (1e300, "1e+300"), (.infinity, "inf"),
            (.nan, "nan"),
        ] as [(Double, String)]
    )
    func numbersHaveNoNeedlessDecimals(number: Double, text: String) {
        #expect(MetricText.number(number) == text)
    }
}
