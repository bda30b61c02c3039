/// Limits of one loop's recorder, so that memory does not grow with time.
package struct RecorderLimits: Sendable {
    /// Breaks stored with their burst, identifiers and pods; later ones share one record of punctuality.
    package var breaks: Int

    package static let standard = RecorderLimits(breaks: 2_000)

    package init(breaks: Int) { self.breaks = max(1, breaks) }
}
