/// The labels that runs of one repetition carry, so that a comparison finds its sides.
package enum RepetitionLabels {
    /// Which of two targets that take turns; the only one of them that means anything to a reader.
    package static let side = "side"
    package static let names: Set = [side, "series", "repeat"]
}
