import Results

/// A figure of each run of a history, with its least relevant change.
struct TrendFigure {
    var name: String
    var isGating: Bool
    var unit: TrendMetric.Unit
    var higherIsWorse = true
    /// Noise of durations is multiplicative, so it is even on a logarithmic scale.
    var isLogarithmic = false
    /// A share of the reference value, and an absolute floor; both must be exceeded.
    var leastShare: Double
    var leastChange: Double
    var value: (RunFigures) -> Double?

    private static let leastShareOfCapacity = 0.05

    init(_ quantile: ComparedQuantile, isGating: Bool, options: ComparisonOptions) {
        name = quantile.name
        self.isGating = isGating
        unit = .microseconds
        isLogarithmic = true
        leastShare = options.marginPercent(of: quantile) / 100
        leastChange = options.floorMicroseconds
        value = { quantile.microseconds(in: $0) }
    }

    private init(
        _ name: String,
        _ unit: TrendMetric.Unit,
        isGating: Bool = false,
        higherIsWorse: Bool = true,
        leastChange: Double,
        value: @escaping (RunFigures) -> Double?
    ) {
        self.name = name
        self.unit = unit
        self.isGating = isGating
        self.higherIsWorse = higherIsWorse
        leastShare = 0
        self.leastChange = leastChange
        self.value = value
    }

    /// A capacity is of a search, and no run has one.
    init(capacityOf quantity: CapacityQuestion.Quantity) {
        self.init(
            "capacity.\(quantity.rawValue)",
            .count,
            isGating: true,
            higherIsWorse: !quantity.isHarderWithMore,
            leastChange: 0
        ) { _ in nil }
        (isLogarithmic, leastShare) = (true, Self.leastShareOfCapacity)
    }

    func leastEffect(at value: Double) -> Double { max(leastChange, leastShare * value.magnitude) }

    /// The scale on which values are compared; all values up to a microsecond are equal.
    func scaled(_ value: Double) -> Double { isLogarithmic ? Logarithm.natural(max(1, value)) : value }

    func unscaled(_ value: Double) -> Double { isLogarithmic ? Logarithm.exponential(value) : value }

    static func all(gates: [ComparedQuantile], options: ComparisonOptions) -> [TrendFigure] {
        let others = ComparedQuantile.informational.filter { quantile in
            let isResponse = quantile.name.hasSuffix(".response.p50") || quantile.name.hasSuffix(".response.p99")
            return !gates.contains(quantile) && (isResponse || quantile.name == "playlist.lateness.p99")
        }
        let tolerance = options.rateTolerancePoints
        let rates = [
            TrendFigure("all.errors", .percent, leastChange: tolerance) { run in
                let asked = run.requests.values.reduce(0) { $0 + Double($1.count) }
                let errors = run.requests.values.reduce(0) { $0 + Double($1.errors) }
                return asked > 0 ? errors * 100 / asked : nil
            },
            TrendFigure("findings.*", .count, leastChange: 0.5) { run in
                run.findings.reduce(0) { $0 + ($1.allowed || $1.isAdvice ? 0 : Double($1.count)) }
            },
        ]
        let onTime = TrendFigure(
            "breaks.on_time",
            .percent,
            isGating: true,
            higherIsWorse: false,
            leastChange: tolerance
        ) { run in
            run.breaks.due > 0 ? Double(run.breaks.onTime) * 100 / Double(run.breaks.due) : nil
        }
        return [onTime] + gates.map { TrendFigure($0, isGating: true, options: options) } + rates
            + others.map { TrendFigure($0, isGating: false, options: options) }
    }
}
