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
    /// An item of a list that an environment variable gives.
    var isFromEnvironment = false

    package var kind: String {
        switch content {
        case .null: "nothing"
        case .scalar: "a single value"
        case .list: "a list"
        case .mapping: "a mapping"
        }
    }

    /// Adds the fields that `base` has and this mapping lacks; deep: also in mappings that both have.
    mutating func inherit(_ base: ProfileNode, isDeep: Bool = true) {
        guard case .mapping(var own) = content, case .mapping(let others) = base.content else { return }
        var places = Dictionary(own.enumerated().map { ($1.key, $0) }) { first, _ in first }
        for other in others {
            if let place = places[other.key] {
                if isDeep { own[place].value.inherit(other.value) }
            } else {
                places[other.key] = own.count
                own.append(other)
            }
        }
        content = .mapping(own)
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
            throw ProfileProblem("the text is larger than 1 MiB", at: place(1, 1))
        }
        guard let hidden = HiddenAlias.hidden(in: text) else {
            throw ProfileProblem("the character U+E000 cannot stand beside anchors", at: place(1, 1))
        }
        let (parser, root): (Parser, Node?)
        do {
            parser = try Parser(yaml: hidden, encoding: .utf8)
            root = try parser.singleRoot()
        } catch let error as YamlError {
            throw problem(error, in: text, place: place)
        } catch {
            throw ProfileProblem("the text cannot be read as YAML", at: place(1, 1))
        }
        guard let root else { return nil }
        var converter = NodeConverter(place: place)
        // Nodes refer weakly to their anchors, which the parser keeps.
        let converted = withExtendedLifetime(parser) {
            Result { () throws(ProfileProblem) in try converter.convert(root, depth: 0) }
        }
        return try converted.get()
    }

    private static func problem(_ error: YamlError, in text: String, place: Place) -> ProfileProblem {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            let line = lines.dropFirst(max(0, mark.line - 1)).first ?? ""
            if line.prefix(while: \.isWhitespace).contains("\t") {
                return ProfileProblem("not YAML: a tab indents this line; write spaces", at: place(mark.line, 1))
            }
            let circumstance = (context?.text).map { $0 + ", " } ?? ""
            let advice = line.contains("${") ? "; within brackets or braces ${NAME} needs quotes" : ""
            return ProfileProblem("not YAML: \(circumstance)\(problem)\(advice)", at: place(mark.line, mark.column))
        case .duplicatedKeysInMapping(let duplicates, let context):
            let shown = duplicates.sorted().map(HiddenAlias.shown)
            let names = shown.map { "\"\(ShownValue.of($0))\"" }.joined(separator: ", ")
            let message = "\(names) stands more than once in one mapping; the first is here"
            return ProfileProblem(message, at: place(context.mark.line, context.mark.column))
        case .reader(let problem, let offset, _, _):
            return ProfileProblem("not YAML: \(problem)", at: position(ofCharacter: offset ?? 0, in: text, place))
        default:
            return ProfileProblem("not YAML", at: place(1, 1))
        }
    }

    private static func position(ofCharacter offset: Int, in text: String, _ place: Place) -> ProfileLocation {
        let before = text.prefix(offset)
        return place(before.count(where: \.isNewline) + 1, before.reversed().prefix { !$0.isNewline }.count + 1)
    }
}

private struct NodeConverter {
    let place: YAMLText.Place
    private var nodes = 0
    /// Read so far; a later one of the same name replaces it.
    private var anchored: [String: Node] = [:]

    init(place: @escaping YAMLText.Place) { self.place = place }

    mutating func convert(_ node: Node, depth: Int) throws(ProfileProblem) -> ProfileNode {
        defer { if let anchor = node.anchor { anchored[anchor.rawValue] = node } }
        return try content(of: node, depth: depth)
    }

    private mutating func content(of node: Node, depth: Int) throws(ProfileProblem) -> ProfileNode {
        let location = place(node.mark?.line ?? 1, node.mark?.column ?? 1)
        nodes += 1
        guard nodes <= ProfileTree.mostNodes else {
            throw ProfileProblem("more than \(ProfileTree.mostNodes) values", at: location)
        }
        guard depth <= ProfileTree.deepest else {
            throw ProfileProblem("nested more than \(ProfileTree.deepest) deep", at: location)
        }
        switch node {
        case .scalar(let scalar):
            if scalar.style == .plain, scalar.string.unicodeScalars.first == HiddenAlias.mark {
                let name = String(scalar.string.unicodeScalars.dropFirst())
                guard let target = anchored[name] else {
                    let message = "the alias *\(ShownValue.of(name)) stands before its anchor, or inside it"
                    throw ProfileProblem(message, at: location)
                }
                return try content(of: target, depth: depth)
            }
            let isNull = scalar.style == .plain && ["", "~", "null", "Null", "NULL"].contains(scalar.string)
            return ProfileNode(location: location, content: isNull ? .null : .scalar(HiddenAlias.shown(scalar.string)))
        case .sequence(let sequence):
            var items: [ProfileNode] = []
            for item in sequence { items.append(try convert(item, depth: depth + 1)) }
            return ProfileNode(location: location, content: .list(items))
        case .mapping(let mapping):
            var entries: [ProfileEntry] = []
            for (key, value) in mapping { entries.append(try entry(key, value, depth: depth)) }
            return ProfileNode(location: location, content: .mapping(try Self.merged(entries)))
        case .alias:
            throw ProfileProblem("an alias stands where none was read", at: location)
        }
    }

    /// Adds the fields of mappings under `<<` that are not written beside it; of two mappings the first wins.
    private static func merged(_ entries: [ProfileEntry]) throws(ProfileProblem) -> [ProfileEntry] {
        guard let merge = entries.first(where: { $0.key == "<<" })?.value else { return entries }
        let others: [ProfileNode] = if case .list(let items) = merge.content { items } else { [merge] }
        var whole = ProfileNode(location: merge.location, content: .mapping(entries.filter { $0.key != "<<" }))
        for other in others {
            guard case .mapping = other.content else {
                throw ProfileProblem("\(other.kind) under <<; write a mapping or a list of them", at: other.location)
            }
            whole.inherit(other, isDeep: false)
        }
        guard case .mapping(let merged) = whole.content else { return entries }
        return merged
    }

    private mutating func entry(_ key: Node, _ value: Node, depth: Int) throws(ProfileProblem) -> ProfileEntry {
        let keyLocation = place(key.mark?.line ?? 1, key.mark?.column ?? 1)
        guard case .scalar(let name) = key else {
            throw ProfileProblem("a field's name must be a single word", at: keyLocation)
        }
        return ProfileEntry(
            key: HiddenAlias.shown(name.string),
            keyLocation: keyLocation,
            value: try convert(value, depth: depth + 1)
        )
    }
}

/// Hides aliases from Yams; `NodeConverter` expands them within its limits.
///
/// Yams compares and hashes expanded nodes while it reads: a few hundred bytes of nested aliases would keep it busy for ever.
private enum HiddenAlias {
    /// A private use character: as many columns as the asterisk that it replaces.
    static let mark: Unicode.Scalar = "\u{E000}"

    /// Each asterisk before the name of an anchor of this text, also one in a quoted text, becomes a mark.
    ///
    /// Nil if the text already has the mark.
    static func hidden(in text: String) -> String? {
        let bytes = Array(text.utf8)
        let marked = bytes.indices.filter { bytes[$0] == UInt8(ascii: "&") }
        let anchors = Set(marked.map { name(in: bytes, after: $0) }).subtracting([[]])
        guard !anchors.isEmpty else { return text }
        guard !text.unicodeScalars.contains(mark) else { return nil }
        var hidden: [UInt8] = []
        for index in bytes.indices {
            let isAlias = bytes[index] == UInt8(ascii: "*") && anchors.contains(name(in: bytes, after: index))
            hidden += isAlias ? Array(mark.utf8) : [bytes[index]]
        }
        return String(decoding: hidden, as: UTF8.self)
    }

    static func shown(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == mark ? "*" : $0 }))
    }

    private static func name(in bytes: [UInt8], after index: Int) -> ArraySlice<UInt8> {
        bytes[(index + 1)...].prefix { $0.isAlphanumeric || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    }
}
