/// Percentile curves of one distribution on both sides, for an overlaid chart.
package struct CurveComparison: Equatable, Codable, Sendable {
    package struct Point: Equatable, Codable, Sendable {
        /// From 0 to 100.
        package var percentile: Double
        package var microseconds: Double

        package init(percentile: Double, microseconds: Double) {
            self.percentile = percentile
            self.microseconds = microseconds
        }

        private enum CodingKeys: String, CodingKey {
            case percentile
            case microseconds = "us"
        }
    }

    package struct Side: Equatable, Codable, Sendable {
        package var count: UInt64
        /// Sum of all runs' distributions, ascending up to 100; empty if nothing was recorded.
        package var merged: [Point]
        /// In the order of the side's runs; empty for a run without the distribution.
        package var runs: [[Point]]

        package init(count: UInt64, merged: [Point], runs: [[Point]]) {
            self.count = count
            self.merged = merged
            self.runs = runs
        }
    }

    /// Without the statistic, for example `pod_manifest.response`.
    package var distribution: String
    package var base: Side
    package var candidate: Side

    package init(distribution: String, base: Side, candidate: Side) {
        self.distribution = distribution
        self.base = base
        self.candidate = candidate
    }
}
