import Values
import Yams

package struct ProfileNode {
    package enum Content {
        case null
        /// Without quotes.
        case scalar(String)
        case list([ProfileNode])
        case mapping([ProfileEntry])
    }

    package var location: ProfileLocation
    package var content: Content

    package var kind: String {
        switch content {
        case .null: "nothing"
        case .scalar: "a single value"
        case .list: "a list"
        case .mapping: "a mapping"
        }
    }
}

package struct ProfileEntry {
    package var key: String
    package var keyLocation: ProfileLocation
    package var value: ProfileNode
}

/// Limits that keep a file from exhausting memory or the stack.
package enum ProfileTree {
    package static let largestText = 1 << 20
    static let mostNodes = 50_000
    static let deepest = 32
}

/// The only user of Yams.
package enum YAMLText {
    package typealias Place = (_ line: Int, _ column: Int) -> ProfileLocation

    /// Nil for a text without a document.
    package static func parse(_ text: String, at place: @escaping Place = ProfileLocation.file) throws(ProfileProblem)
        -> ProfileNode?
    {
        // libYAML skips a byte order mark only when it guesses the encoding itself.
        let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        guard text.utf8.count <= ProfileTree.largestText else {
            throw ProfileProblem(location: place(1, 1), message: "the text is larger than 1 MiB")
        }
        if let alias = AliasGuard.firstAlias(in: text) {
            throw ProfileProblem(
                location: place(alias.line, alias.column),
                message: "the alias *\(ShownValue.of(alias.name)) is not supported; write the value out"
            )
        }
        let root: Node?
        do {
            root = try Parser(yaml: text, encoding: .utf8).singleRoot()
        } catch let error as YamlError {
            throw problem(error, in: text, place: place)
        } catch {
            throw ProfileProblem(location: place(1, 1), message: "the text cannot be read as YAML")
        }
        guard let root else { return nil }
        var converter = NodeConverter(place: place)
        return try converter.convert(root, depth: 0)
    }

    private static func problem(_ error: YamlError, in text: String, place: Place) -> ProfileProblem {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            let circumstance = (context?.text).map { $0 + ", " } ?? ""
            return ProfileProblem(
                location: place(mark.line, mark.column),
                message: "not YAML: \(circumstance)\(problem)"
            )
        case .duplicatedKeysInMapping(let duplicates, let context):
            let names = duplicates.sorted().map { "\"\(ShownValue.of($0))\"" }.joined(separator: ", ")
            return ProfileProblem(
                location: place(context.mark.line, context.mark.column),
                message: "\(names) stands more than once in one mapping; the first is here"
            )
        case .reader(let problem, let offset, _, _):
            return ProfileProblem(
                location: position(ofCharacter: offset ?? 0, in: text, place),
                message: "not YAML: \(problem)"
            )
        default:
            return ProfileProblem(location: place(1, 1), message: "not YAML")
        }
    }

    private static func position(ofCharacter offset: Int, in text: String, _ place: Place) -> ProfileLocation {
        var line = 1
        var column = 1
        for character in text.prefix(offset) {
            column += 1
            if character.isNewline {
                line += 1
                column = 1
            }
        }
        return place(line, column)
    }
}

private struct NodeConverter {
    let place: YAMLText.Place
    private var nodes = 0

    init(place: @escaping YAMLText.Place) { self.place = place }

    mutating func convert(_ node: Node, depth: Int) throws(ProfileProblem) -> ProfileNode {
        let location = place(node.mark?.line ?? 1, node.mark?.column ?? 1)
        nodes += 1
        guard nodes <= ProfileTree.mostNodes else {
            throw ProfileProblem(location: location, message: "more than \(ProfileTree.mostNodes) values")
        }
        guard depth <= ProfileTree.deepest else {
            throw ProfileProblem(location: location, message: "nested more than \(ProfileTree.deepest) deep")
        }
        switch node {
        case .scalar(let scalar):
            let isNull = scalar.style == .plain && ["", "~", "null", "Null", "NULL"].contains(scalar.string)
            return ProfileNode(location: location, content: isNull ? .null : .scalar(scalar.string))
        case .sequence(let sequence):
            var items: [ProfileNode] = []
            for item in sequence {
                items.append(try convert(item, depth: depth + 1))
            }
            return ProfileNode(location: location, content: .list(items))
        case .mapping(let mapping):
            var entries: [ProfileEntry] = []
            for (key, value) in mapping {
                entries.append(try entry(key, value, depth: depth))
            }
            return ProfileNode(location: location, content: .mapping(entries))
        case .alias:
            throw ProfileProblem(location: location, message: "aliases are not supported; write the value out")
        }
    }

    private mutating func entry(_ key: Node, _ value: Node, depth: Int) throws(ProfileProblem) -> ProfileEntry {
        let keyLocation = place(key.mark?.line ?? 1, key.mark?.column ?? 1)
        guard case .scalar(let name) = key else {
            throw ProfileProblem(location: keyLocation, message: "a field's name must be a single word")
        }
        return ProfileEntry(key: name.string, keyLocation: keyLocation, value: try convert(value, depth: depth + 1))
    }
}

/// Finds YAML aliases before a parser can expand them.
///
/// Yams compares and hashes expanded nodes while it reads, so a few hundred bytes of nested aliases would keep it busy for
/// ever. A search for names with both `&` and `*` finds every alias that a parser could resolve.
enum AliasGuard {
    static func firstAlias(in text: String) -> (name: String, line: Int, column: Int)? {
        let bytes = Array(text.utf8)
        var anchors: Set<ArraySlice<UInt8>> = []
        for index in bytes.indices where bytes[index] == UInt8(ascii: "&") {
            anchors.insert(name(in: bytes, after: index))
        }
        anchors.remove([])
        guard !anchors.isEmpty else { return nil }
        for index in bytes.indices where bytes[index] == UInt8(ascii: "*") {
            let candidate = name(in: bytes, after: index)
            if anchors.contains(candidate) {
                let (line, column) = place(of: index, in: bytes)
                return (String(decoding: candidate, as: UTF8.self), line, column)
            }
        }
        return nil
    }

    private static func name(in bytes: [UInt8], after index: Int) -> ArraySlice<UInt8> {
        bytes[(index + 1)...].prefix { $0.isAlphanumeric || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    }

    private static func place(of index: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
        let before = bytes[..<index]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let lineStart = (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        let isContinuation: (UInt8) -> Bool = { $0 & 0xC0 == 0x80 }
        return (line, bytes[lineStart..<index].count { !isContinuation($0) } + 1)
    }
}
