/// Differences between the breaks of two single runs.
///
/// The intervals hold the noise within a run only. What sets two runs of one release apart is not in them, so nothing
/// here is evidence about a release.
package struct WithinRunComparison: Equatable, Codable, Sendable {
    package struct Figure: Equatable, Codable, Sendable {
        /// For example `slowest_response` or `on_time`.
        package var name: String
        /// `us` or `percent`.
        package var unit: String
        /// Median over the base's breaks, and over the candidate's.
        package var base: Double
        package var candidate: Double
        /// Candidate by base for `us`, candidate less base for `percent`.
        package var change: Double
        /// Bootstrap over breaks, 90 %.
        package var changeLow: Double
        package var changeHigh: Double

        package init(
            name: String,
            unit: String,
            base: Double,
            candidate: Double,
            change: Double,
            changeLow: Double,
            changeHigh: Double
        ) {
            self.name = name
            self.unit = unit
            self.base = base
            self.candidate = candidate
            self.change = change
            self.changeLow = changeLow
            self.changeHigh = changeHigh
        }
    }

    package var baseBreaks: Int
    package var candidateBreaks: Int
    /// Of the bootstrap's generator.
    package var seed: UInt64
    package var resamples: Int
    package var figures: [Figure]
    /// The label that must stand beside the figures.
    package var text: String

    package init(
        baseBreaks: Int,
        candidateBreaks: Int,
        seed: UInt64,
        resamples: Int,
        figures: [Figure],
        text: String
    ) {
        self.baseBreaks = baseBreaks
        self.candidateBreaks = candidateBreaks
        self.seed = seed
        self.resamples = resamples
        self.figures = figures
        self.text = text
    }
}
