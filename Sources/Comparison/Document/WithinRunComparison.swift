/// Differences between the breaks of two single runs.
///
/// The intervals contain the noise within a run but not between runs of one release, so they are no evidence about a release.
package struct WithinRunComparison: Equatable, Codable, Sendable {
    package struct Figure: Equatable, Codable, Sendable {
        /// For example `slowest_response` or `on_time`.
        package var name: String
        /// `us` or `percent`.
        package var unit: String
        /// Medians over the breaks of each side.
        package var base: Double
        package var candidate: Double
        /// Candidate divided by base for `us`, candidate less base for `percent`.
        package var change: Double
        /// Bootstrap over breaks, 90 %.
        package var changeLow: Double
        package var changeHigh: Double
    }

    package var baseBreaks: Int
    package var candidateBreaks: Int
    package var seed: UInt64
    package var resamples: Int
    package var figures: [Figure]
    /// The caveat to show beside the figures.
    package var text: String
}
