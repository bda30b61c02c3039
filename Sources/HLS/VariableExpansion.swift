import Glibc

/// A variable must be defined before the line that refers to it (bis-22 section 4.3).
package struct VariableExpansion {
    private let url: String
    private let imported: [String: String]
    private var lines: PlaylistLines
    private var values: [String: String] = [:]
    private var output: [UInt8] = []
    private var copied = 0
    private var valueBytes = 0

    package init(_ lines: PlaylistLines, url: String, imported: [String: String]) {
        self.lines = lines
        self.url = url
        self.imported = imported
        output.reserveCapacity(lines.bytes.count * 2)
    }

    /// Lines keep their numbers.
    package consuming func expanded() throws(PlaylistError) -> [UInt8] {
        while let line = lines.next() {
            switch line.kind {
            case .tag(.define): try define(line)
            case .uri:
                try replace(line, from: line.start) { _ in true }
            case .tag(.extinf): break
            case .tag:
                var syntax = ValueSyntax()
                try replace(line, from: line.value) { syntax.allowsReference(after: $0) }
            }
        }
        copy(upTo: lines.bytes.count)
        return output
    }

    /// References in comments and titles are not replaced.
    package static func hasReferences(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress else { return false }
        var position = 0
        while let found = memchr(base + position, Int32(UInt8(ascii: "{")), bytes.count - position) {
            let brace = base.distance(to: UnsafeRawPointer(found))
            position = brace + 1
            guard position < bytes.count, bytes[position] == UInt8(ascii: "$") else { continue }
            let start = bytes[..<brace].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            guard isPassedOver(bytes, lineAt: start) else { return true }
            guard let end = memchr(base + position, 0x0A, bytes.count - position) else { return false }
            position = base.distance(to: UnsafeRawPointer(end)) + 1
        }
        return false
    }

    private static func isPassedOver(_ bytes: UnsafeRawBufferPointer, lineAt start: Int) -> Bool {
        guard bytes[start] == UInt8(ascii: "#") else { return false }
        return !bytes.matches("#EXT", at: start, prefixBefore: bytes.count)
            || bytes.matches("#EXTINF:", at: start, prefixBefore: bytes.count)
    }

    private mutating func copy(upTo end: Int) {
        output.append(contentsOf: lines.bytes[copied..<end])
        copied = end
    }

    private mutating func define(_ line: TagLine) throws(PlaylistError) {
        let name: String
        let value: String?
        switch try PlaylistHeader.definition(line, lines) {
        case .value(let defined, let text):
            name = defined
            do throws(VariableScope.Problem) {
                value = try VariableScope(values: values).substitute(text)
            } catch .tooLong {
                throw tooLong(line)
            } catch {
                throw lines.error(.undefinedVariable, at: line.start, "a variable that no line before defines")
            }
        case .imported(let wanted): (name, value) = (wanted, imported[wanted])
        case .queryParameter(let wanted): (name, value) = (wanted, URLQuery(of: url).value(of: wanted))
        }
        guard let value else {
            throw lines.error(.undefinedVariable, at: line.start, "EXT-X-DEFINE names a value that is not there")
        }
        guard !value.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == UInt8(ascii: "\"") }) else {
            throw lines.error(.badTag, at: line.start, "a variable's value must be fit for a quoted string")
        }
        guard values.updateValue(value, forKey: name) == nil else {
            throw lines.error(.duplicateVariable, at: line.start, "EXT-X-DEFINE defines a name again")
        }
        valueBytes += value.utf8.count
        guard valueBytes <= VariableScope.maximumBytes else { throw tooLong(line) }
    }

    private func tooLong(_ line: TagLine) -> PlaylistError {
        lines.error(.variablesTooLong, at: line.start, "the variables make the playlist too long to be read")
    }

    /// `allows` gets each byte and returns whether a reference may stand after it.
    private mutating func replace(_ line: TagLine, from start: Int, _ allows: (UInt8) -> Bool) throws(PlaylistError) {
        let bytes = lines.bytes
        var isAllowed = allows(0)
        var index = start
        // Recorded once, so that the line is not searched to its end for each opening brace.
        var isClosed = true
        while index < line.end {
            guard isAllowed, isClosed, bytes.matches("{$", at: index, prefixBefore: line.end) else {
                isAllowed = allows(bytes[index])
                index += 1
                continue
            }
            guard let close = bytes[index..<line.end].firstIndex(of: UInt8(ascii: "}")) else {
                isClosed = false
                continue
            }
            let name = bytes.text((index + 2)..<close)
            guard let value = values[name] else {
                throw lines.error(.undefinedVariable, at: line.start, "a variable that no line before defines")
            }
            copy(upTo: index)
            guard output.count + value.utf8.count <= Playlist.maximumBytes else { throw tooLong(line) }
            output += value.utf8
            index = close + 1
            copied = index
        }
    }
}

/// Quoted strings and hexadecimal sequences (bis-22 section 4.3).
private struct ValueSyntax {
    private var isQuoted = false
    /// Beginning of the unquoted value: 0 nothing, 1 a zero, 2 `0x` and more, 3 something else.
    private var prefix = 3

    mutating func allowsReference(after byte: UInt8) -> Bool {
        if byte == UInt8(ascii: "\"") {
            isQuoted.toggle()
            prefix = 3
        } else if !isQuoted {
            switch (byte, prefix) {
            case (UInt8(ascii: "="), _): prefix = 0
            case (UInt8(ascii: ","), _): prefix = 3
            case (UInt8(ascii: "0"), 0): prefix = 1
            case (UInt8(ascii: "x"), 1), (UInt8(ascii: "X"), 1): prefix = 2
            case (_, 2): break
            default: prefix = 3
            }
        }
        return isQuoted || prefix == 2
    }
}

/// The values of a playlist's variables, and their substitution (bis-22 section 4.3).
package struct VariableScope: Hashable, Sendable {
    package enum Problem: Error, Hashable, Sendable {
        case duplicate(name: String)
        case undefined(name: String)
        case tooLong
    }

    /// Values can refer to others and grow with each reference.
    static let maximumBytes = 1 << 20

    package private(set) var values: [String: String]

    init(values: [String: String]) { self.values = values }

    /// QUERYPARAM is read from the query of `playlistURL`, IMPORT from `imported`.
    package init(
        _ definitions: [VariableDefinition],
        playlistURL: String,
        imported: [String: String] = [:]
    ) throws(Problem) {
        values = [:]
        for definition in definitions {
            let (name, value) =
                switch definition {
                case .value(let name, let value): (name, Optional(value))
                case .imported(let name): (name, imported[name])
                case .queryParameter(let name): (name, URLQuery(of: playlistURL).value(of: name))
                }
            guard let value else { throw .undefined(name: name) }
            guard values.updateValue(value, forKey: name) == nil else { throw .duplicate(name: name) }
        }
    }

    /// Media playlists may import these.
    package static func exported(by playlist: MultivariantPlaylist, url: String) throws(Problem) -> [String: String] {
        try VariableScope(playlist.head.definitions, playlistURL: url).values
    }

    package func substitute(_ text: String) throws(Problem) -> String {
        guard text.contains("{$") else { return text }
        var output = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            output += rest[..<open]
            let afterOpen = rest.index(after: open)
            guard afterOpen < rest.endIndex, rest[afterOpen] == "$" else {
                output.append("{")
                rest = rest[afterOpen...]
                continue
            }
            guard let close = rest[afterOpen...].firstIndex(of: "}") else { return output + rest[open...] }
            let name = String(rest[rest.index(after: afterOpen)..<close])
            guard let value = values[name] else { throw .undefined(name: name) }
            guard output.utf8.count + value.utf8.count <= Self.maximumBytes else { throw .tooLong }
            output += value
            rest = rest[rest.index(after: close)...]
        }
        return output + rest
    }
}
