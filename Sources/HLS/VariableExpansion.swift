import Glibc

/// A variable must be defined before the line that refers to it (bis-22 section 4.3).
package struct VariableExpansion {
    private let url: String
    private let imported: [String: String]
    private var lines: PlaylistLines
    private var values: [String: String] = [:]
    private var valueBytes = 0

    /// Values can refer to others and grow with each reference.
    private static let mostValueBytes = 1 << 20

    package init(_ lines: PlaylistLines, url: String, imported: [String: String]) {
        (self.lines, self.url, self.imported) = (lines, url, imported)
    }

    /// Lines keep their numbers.
    package consuming func expanded() throws(PlaylistError) -> [UInt8] {
        let bytes = lines.bytes
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count * 2)
        var copied = 0
        while let line = lines.next() {
            var syntax: ValueSyntax?
            switch line.kind {
            case .tag(.define):
                try define(line)
                continue
            case .tag(.extinf): continue
            case .uri: break
            case .tag: syntax = ValueSyntax()
            }
            let start = syntax == nil ? line.start : line.value
            output.append(contentsOf: bytes[copied..<start])
            copied = line.end
            try replace(bytes, start..<line.end, of: line, to: &output, upTo: Playlist.maximumBytes) {
                syntax?.allowsReference(after: $0) ?? true
            }
        }
        output.append(contentsOf: bytes[copied...])
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

    private mutating func define(_ line: TagLine) throws(PlaylistError) {
        let definition = try PlaylistHeader.definition(line, lines)
        let (name, given) = definition.resolved(url: url, imported: imported)
        var value = given
        if case .value(_, let text) = definition {
            let text = Array(text.utf8)
            var bytes: [UInt8] = []
            try text.span.bytes.withUnsafeBytes { text throws(PlaylistError) in
                try replace(text, 0..<text.count, of: line, to: &bytes, upTo: Self.mostValueBytes) { _ in true }
            }
            value = String(decoding: bytes, as: UTF8.self)
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
        guard valueBytes <= Self.mostValueBytes else { throw tooLong(line) }
    }

    private func tooLong(_ line: TagLine) -> PlaylistError {
        lines.error(.variablesTooLong, at: line.start, "the variables make the playlist too long to be read")
    }

    /// `allows` gets each byte and returns whether a reference may stand after it.
    private func replace(
        _ bytes: UnsafeRawBufferPointer,
        _ range: Range<Int>,
        of line: TagLine,
        to output: inout [UInt8],
        upTo most: Int,
        _ allows: (UInt8) -> Bool
    ) throws(PlaylistError) {
        var isAllowed = allows(0)
        var (index, copied) = (range.lowerBound, range.lowerBound)
        // Recorded once, so that the line is not searched to its end for each opening brace.
        var isClosed = true
        while index < range.upperBound {
            guard isAllowed, isClosed, bytes.matches("{$", at: index, prefixBefore: range.upperBound) else {
                isAllowed = allows(bytes[index])
                index += 1
                continue
            }
            guard let close = bytes[index..<range.upperBound].firstIndex(of: UInt8(ascii: "}")) else {
                isClosed = false
                continue
            }
            let name = bytes.text((index + 2)..<close)
            guard let value = values[name] else {
                // No secret is a short word of the playlist's own.
                let shown = name.utf8.count <= 32 && name.utf8.allSatisfy(\.isNameByte) ? " of \(name)" : ""
                throw lines.error(.undefinedVariable, at: line.start, "EXT-X-DEFINE\(shown) on a line before this one")
            }
            output.append(contentsOf: bytes[copied..<index])
            guard output.count + value.utf8.count <= most else { throw tooLong(line) }
            output += value.utf8
            index = close + 1
            copied = index
        }
        output.append(contentsOf: bytes[copied..<range.upperBound])
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

extension VariableDefinition {
    /// Nil for a value that is not there; QUERYPARAM is read from the query of `url`.
    fileprivate func resolved(url: String, imported: [String: String]) -> (name: String, value: String?) {
        switch self {
        case .value(let name, let value): (name, value)
        case .imported(let name): (name, imported[name])
        case .queryParameter(let name): (name, URLQuery(of: url).value(of: name))
        }
    }
}

extension MultivariantPlaylist {
    /// Values that its media playlists may import; none if one is missing or defined twice.
    package func variables(url: String) -> [String: String] {
        var values: [String: String] = [:]
        for (name, value) in head.definitions.map({ $0.resolved(url: url, imported: [:]) }) {
            guard let value, values.updateValue(value, forKey: name) == nil else { return [:] }
        }
        return values
    }
}
