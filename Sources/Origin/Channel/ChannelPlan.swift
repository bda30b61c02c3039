/// What the live channel does besides going on: a YAML mapping of sections, all of them optional.
///
/// An empty plan is the plain channel: one rendition per variant, whole segments, announced breaks.
struct ChannelPlan: Sendable, Equatable {
    /// The channel without anything special.
    static let plain = ChannelPlan()

    /// The plan that a text describes.
    ///
    /// Throws `ChannelPlanError` with every mistake in it.
    static func read(_ text: String) throws(ChannelPlanError) -> ChannelPlan {
        let mistakes = PlanMistakes()
        let plan = ChannelPlan()
        if let root = PlanNode(yaml: text, mistakes: mistakes) {
            root.refuseUnknownKeys(allowed: [])
        }
        guard mistakes.all.isEmpty else { throw ChannelPlanError(mistakes: mistakes.all.sorted { $0.line < $1.line }) }
        return plan
    }
}

/// Every mistake in a channel plan at once, each with its line.
package struct ChannelPlanError: Error, Equatable, CustomStringConvertible {
    /// A mistake and where it stands.
    package struct Mistake: Equatable, Sendable {
        /// Counted from 1.
        package let line: Int
        /// What is wrong and what is allowed.
        package let message: String
    }

    /// In the order of their lines, never empty.
    package let mistakes: [Mistake]

    package var description: String {
        mistakes.map { "line \($0.line): \($0.message)" }.joined(separator: "\n")
    }
}
