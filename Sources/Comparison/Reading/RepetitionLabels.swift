/// The labels that runs of one repetition carry, so that a comparison finds its sides.
package enum RepetitionLabels {
    /// Which of two targets that take turns.
    ///
    /// Only this label means anything to a reader.
    package static let side = "side"
    package static let names: Set = [side, "series", "repeat"]
}
