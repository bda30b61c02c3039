import Profile

package struct PlanMistake: Equatable, Sendable {
    package let line: Int
    /// The problem, the allowed values, and the nearest valid name for a misspelt one.
    package let message: String
}

/// All mistakes in a fault plan or a channel plan.
package struct PlanError: Error, Equatable, CustomStringConvertible {
    /// In order of lines, never empty.
    package let mistakes: [PlanMistake]

    package var description: String {
        mistakes.map { "line \($0.line): \($0.message)" }.joined(separator: "\n")
    }

    /// Parses a plan; a list at its root becomes the field `list`.
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
