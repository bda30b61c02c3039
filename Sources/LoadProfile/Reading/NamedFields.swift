import ProfileSyntax

extension ProfileSection {
    /// Reads a field that names a YAML file, whose fields then stand here as well, but for those that the profile has itself.
    ///
    /// Mistakes in that file are reported by its own name and lines.
    func addFields(ofFile key: String) {
        guard let (_, path) = file(key), reading.isSound(fieldPath(key)) else { return }
        do throws(YAMLProblem) {
            guard let root = try Self.tree(ofFile: path, reading.surroundings) else {
                throw YAMLProblem(location: .named(file: path, line: 1, column: 1), message: "the file is empty")
            }
            guard case .mapping(let entries) = root.content else {
                throw YAMLProblem(location: root.location, message: "\(root.kind) where a mapping is needed")
            }
            if let nested = entries.first(where: { $0.key == key }) {
                let message = "a file that a profile names cannot name another"
                throw YAMLProblem(location: nested.keyLocation, message: message)
            }
            add(entries)
        } catch {
            reading.report(ProfileProblem(location: error.location, field: fieldPath(key), message: error.message))
        }
    }

    private static func tree(ofFile path: String, _ surroundings: ProfileSurroundings) throws(YAMLProblem)
        -> ProfileNode?
    {
        let start = ProfileLocation.named(file: path, line: 1, column: 1)
        // Whether the text is too large is for its reader to say.
        guard let bytes = surroundings.contents(path, ProfileTree.largestText + 1) else {
            throw YAMLProblem(location: start, message: "cannot be read")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw YAMLProblem(location: start, message: "the text is not UTF-8")
        }
        return try YAMLText.parse(text, at: { .named(file: path, line: $0, column: $1) })
    }
}
