import Foundation
import Values

/// Reads the files that `include` names.
///
/// A file's own fields win over theirs, and a later file wins over an earlier one.
struct Inclusion {
    static let field = "include"
    private static let mostFiles = 32

    let reading: ProfileReading
    private var files = 0

    init(reading: ProfileReading) { self.reading = reading }

    /// Without `.` and `..`, so that a file that includes itself is recognised.
    static func plain(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }

    /// Mistakes are reported at the names of the files; `above` are the files that led here.
    mutating func fill(_ root: inout ProfileNode, below above: [String]) {
        guard case .mapping(let entries) = root.content,
            let named = entries.first(where: { $0.key == Self.field })?.value
        else { return }
        let names: [ProfileNode] = if case .list(let items) = named.content { items } else { [named] }
        for name in names.reversed() {
            // The reader of the field reports anything but a text.
            guard case .scalar(let written) = name.content else { continue }
            do throws(ProfileProblem) {
                root.inherit(try tree(written, at: name.location, below: above))
            } catch {
                reading.report(error, at: Self.field)
            }
        }
    }

    private mutating func tree(_ written: String, at location: ProfileLocation, below above: [String])
        throws(ProfileProblem) -> ProfileNode
    {
        func refused(_ message: String) -> ProfileProblem { ProfileProblem(message, at: location) }
        let name: String
        do throws(EnvironmentText.Refusal) {
            name = try EnvironmentText(written, reading.surroundings.environmentVariable).text
        } catch {
            throw refused(error.reason)
        }
        let shown = ShownValue.of(written)
        let path = reading.path(of: name, at: location)
        guard !above.contains(Self.plain(path)) else { throw refused("\"\(shown)\" includes itself") }
        files += 1
        guard files <= Self.mostFiles else { throw refused("more than \(Self.mostFiles) files are included") }
        guard reading.surroundings.hasFile(path),
            let bytes = reading.surroundings.contents(path, ProfileTree.largestText + 1)
        else { throw refused("no readable file at \"\(shown)\", counted from the folder of the file that names it") }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw refused("\"\(shown)\" is not UTF-8") }
        reading.include(path)
        let read = try YAMLText.parse(text, at: { .named(file: path, line: $0, column: $1) })
        guard var root = read, case .mapping = root.content else { throw refused("\"\(shown)\" holds no fields") }
        fill(&root, below: above + [Self.plain(path)])
        return root
    }
}

extension ProfileNode {
    /// `shown` gives the text of a single value, by its field and its written form.
    func yaml(_ shown: (String, String) -> String) -> String { lines("", 0, shown).map { $0 + "\n" }.joined() }

    private func lines(_ field: String, _ depth: Int, _ shown: (String, String) -> String) -> [String] {
        let indent = String(repeating: "  ", count: depth)
        switch content {
        case .null: return [indent + "null"]
        case .scalar(let written): return [indent + Self.quoted(shown(field, written))]
        case .list(let items):
            guard !items.isEmpty else { return [indent + "[]"] }
            return items.enumerated().flatMap { index, item in
                var lines = item.lines("\(field)[\(index)]", depth + 1, shown)
                lines[0] = indent + "- " + lines[0].dropFirst(indent.count + 2)
                return lines
            }
        case .mapping(let entries):
            let own = entries.filter { depth > 0 || $0.key != Inclusion.field }
            guard !own.isEmpty else { return [indent + "{}"] }
            return own.flatMap { entry in
                let key = ShownValue.of(entry.key)
                let lines = entry.value.lines(field.isEmpty ? key : "\(field).\(key)", depth + 1, shown)
                let head = indent + Self.quoted(entry.key) + ":"
                guard entry.value.isBlock else { return ["\(head) \(lines[0].dropFirst(indent.count + 2))"] }
                return [head] + lines
            }
        }
    }

    private var isBlock: Bool {
        switch content {
        case .null, .scalar: false
        case .list(let items): !items.isEmpty
        case .mapping(let entries): !entries.isEmpty
        }
    }

    private static func quoted(_ text: String) -> String {
        let isPlain =
            text.utf8.first?.isAlphanumeric == true
            && text.utf8.allSatisfy { $0.isAlphanumeric || "_./%-".utf8.contains($0) } && text.lowercased() != "null"
        guard !isPlain, TerminalText.printable(text) == text else { return isPlain ? text : YAMLScalar.quoted(text) }
        return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
