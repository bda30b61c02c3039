/// Mistakes in a document with a profile's syntax, such as a fault plan.
package struct PlanError: Error, CustomStringConvertible {
    /// In order of lines, never empty; with the allowed values and the nearest valid name.
    package let mistakes: [(line: Int, message: String)]

    fileprivate init(_ problems: [ProfileProblem]) {
        let ordered = problems.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) }
        mistakes = ordered.map { ($0.line ?? 1, $0.said()) }
    }

    package var description: String { mistakes.map { "line \($0.line): \($0.message)" }.joined(separator: "\n") }
}

extension ProfileFields {
    /// An empty text counts as an empty mapping; a list in place of the mapping stands for the field `list`.
    package static func read(_ text: String, orList list: String? = nil) throws(PlanError) -> Self {
        let reading = ProfileReading(surroundings: .none, folder: "")
        var node: ProfileNode?
        do throws(ProfileProblem) {
            node = try YAMLText.parse(text)
        } catch {
            throw PlanError([error])
        }
        switch node?.content {
        case .null: node = nil
        case .list: node = node?.opened(as: list, evenList: true)
        default: break
        }
        let section = ProfileSection(path: "", node: node, reading: reading)
        let fields = Self(reading: section, over: .usual)
        guard reading.problems.isEmpty else { throw PlanError(reading.problems) }
        return fields
    }
}
