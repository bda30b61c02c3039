/// A document other than a profile with a profile's syntax, such as a fault plan.
package struct PlanText {
    private let root: ProfileNode?

    package init(_ text: String) throws(ProfileProblem) { root = try YAMLText.parse(text) }

    /// Reads the fields of the root mapping; an empty text counts as an empty mapping.
    ///
    /// With `list`, a list in place of the mapping stands for that field. Problems come in the order of lines.
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
