/// A document other than a profile that is written as profiles are, such as a fault plan.
package struct PlanText {
    private let root: ProfileNode?

    /// - Throws: The problem that keeps the text from being read.
    package init(_ text: String) throws(YAMLProblem) { root = try YAMLText.parse(text) }

    /// Reads the fields of its root; an empty text has none of them.
    ///
    /// - Parameters:
    ///   - fields: The mapping at the root.
    ///   - list: The field for which a list in place of the mapping stands; nil where there must be a mapping.
    /// - Returns: What was read, and every problem in the order of lines.
    package func read<Fields: ProfileFields>(_ fields: Fields.Type = Fields.self, orList list: String? = nil) -> (
        fields: Fields, problems: [ProfileProblem]
    ) {
        let nowhere = ProfileSurroundings(environmentVariable: { _ in nil }, hasFile: { _ in false })
        let reading = ProfileReading(surroundings: nowhere, folder: "")
        var node = root
        switch root?.content {
        case .null: node = nil
        case .list: node = node?.opened(as: list, evenList: true)
        default: break
        }
        let section = ProfileSection(path: "", node: node, reading: reading)
        let read = Fields(reading: section, over: .usual)
        section.reportUnknownFields()
        return (read, reading.problems.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) })
    }
}
