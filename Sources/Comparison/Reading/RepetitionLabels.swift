/// The labels on runs of one repetition, by which a comparison finds its sides.
package enum RepetitionLabels {
    /// One of two targets that take turns; the only label of the three that is meaningful to a reader.
    package static let side = "side"
    package static let names: Set = [side, "series", "repeat"]
}
