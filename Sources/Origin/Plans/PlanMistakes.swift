import ProfileSyntax

/// A mistake in a plan and where it stands.
package struct PlanMistake: Equatable, Sendable {
    /// Counted from 1.
    package let line: Int
    /// What is wrong, what is allowed, and the nearest valid name for a misspelt one.
    package let message: String
}

/// Every mistake in a fault plan or a channel plan at once, each with its line.
package struct PlanError: Error, Equatable, CustomStringConvertible {
    /// In the order of their lines, never empty.
    package let mistakes: [PlanMistake]

    package var description: String {
        mistakes.map { "line \($0.line): \($0.message)" }.joined(separator: "\n")
    }

    /// Reads a plan; `list` is the field for which a list at its root stands.
    static func reading<Fields: ProfileFields>(_ text: String, orList list: String? = nil)
        throws(PlanError) -> Fields
    {
        let plan: PlanText
        do {
            plan = try PlanText(text)
        } catch {
            throw PlanError(mistakes: [PlanMistake(line: error.location.line ?? 1, message: error.message)])
        }
        let (fields, problems) = plan.read(Fields.self, orList: list)
        guard problems.isEmpty else {
            throw PlanError(mistakes: problems.map { PlanMistake(line: $0.line ?? 1, message: $0.said()) })
        }
        return fields
    }
}
