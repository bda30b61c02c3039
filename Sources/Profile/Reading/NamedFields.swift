extension ProfileSection {
    /// Reads a field that names a YAML file, and adds that file's fields; fields that the profile sets take precedence.
    ///
    /// Mistakes in that file are reported with its own name and lines.
    func addFields(ofFile key: String) {
        guard let (_, path) = file(key), reading.isSound(fieldPath(key)) else { return }
        do throws(ProfileProblem) {
            guard let root = try Self.tree(ofFile: path, reading.surroundings) else {
                throw ProfileProblem(location: .named(file: path, line: 1, column: 1), message: "the file is empty")
            }
            guard case .mapping(let entries) = root.content else {
                throw ProfileProblem(location: root.location, message: "\(root.kind) where a mapping is needed")
            }
            if let nested = entries.first(where: { $0.key == key }) {
                let message = "a file that a profile names cannot name another"
                throw ProfileProblem(location: nested.keyLocation, message: message)
            }
            add(entries)
        } catch {
            reading.report(error, at: fieldPath(key))
        }
    }

    private static func tree(ofFile path: String, _ surroundings: ProfileSurroundings) throws(ProfileProblem)
        -> ProfileNode?
    {
        let start = ProfileLocation.named(file: path, line: 1, column: 1)
        // One byte more than allowed, so that the parser reports a text that is too large.
        guard let bytes = surroundings.contents(path, ProfileTree.largestText + 1) else {
            throw ProfileProblem(location: start, message: "cannot be read")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ProfileProblem(location: start, message: "the text is not UTF-8")
        }
        return try YAMLText.parse(text, at: { .named(file: path, line: $0, column: $1) })
    }
}
