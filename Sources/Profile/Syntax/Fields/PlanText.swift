extension ProfileFields {
    /// Reads a document with a profile's syntax, such as a fault plan; mistakes name the file at `path`.
    ///
    /// An empty text counts as an empty mapping; a list in place of the mapping stands for the field `list`.
    package static func read(_ text: String, of path: String = "", orList list: String? = nil)
        throws(ProfileErrors) -> Self
    {
        let reading = ProfileReading(surroundings: .none, folder: "")
        var node: ProfileNode?
        do throws(ProfileProblem) {
            node = try YAMLText.parse(text)
        } catch {
            throw ProfileErrors(path: path, problems: [error])
        }
        switch node?.content {
        case .null: node = nil
        case .list: node = node?.opened(as: list, evenList: true)
        default: break
        }
        let section = ProfileSection(path: "", node: node, reading: reading)
        let fields = Self(reading: section, over: .usual)
        guard reading.problems.isEmpty else {
            let ordered = reading.problems.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) }
            throw ProfileErrors(path: path, problems: ordered)
        }
        return fields
    }
}
