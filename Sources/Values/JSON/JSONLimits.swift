/// Limits for foreign JSON, checked before it is parsed.
///
/// All are podswarm's assumptions; no real document comes near them.
package struct JSONLimits: Hashable, Sendable {
    package var bytes: Int
    package var depth: Int
    /// An empty array or object counts as two.
    package var values: Int

    package init(bytes: Int, depth: Int, values: Int) { (self.bytes, self.depth, self.values) = (bytes, depth, values) }

    /// Read on an event loop within a few hundredths of a second.
    package static let answer = JSONLimits(bytes: 16 << 20, depth: 128, values: 250_000)

    package static let result = JSONLimits(bytes: 256 << 20, depth: 64, values: 10_000_000)

    /// A journal record, which may hold a whole run.
    package static let record = JSONLimits(bytes: 1 << 30, depth: 64, values: 100_000_000)

    /// First limit that the text, which may not be JSON, exceeds.
    ///
    /// nil: a parser stays within the limits up to the first syntax error.
    package func excess(of text: UnsafeRawBufferPointer) -> JSONError? {
        guard text.count <= bytes else { return .tooLarge }
        var (open, found, position) = (0, 1, 0)
        while position < text.count {
            let byte = text[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): position = Self.end(ofTextAt: position, in: text)
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                open += 1
                guard open <= depth else { return .tooDeep }
                found += 1
                guard found <= values else { return .tooManyValues }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): open = max(0, open - 1)
            case UInt8(ascii: ","):
                found += 1
                guard found <= values else { return .tooManyValues }
            default: break
            }
        }
        return nil
    }

    private static func end(ofTextAt start: Int, in text: UnsafeRawBufferPointer) -> Int {
        var position = start
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "\""): return position + 1
            case UInt8(ascii: "\\"): position += 2
            default: position += 1
            }
        }
        return text.count
    }

    /// Words that follow "it is".
    package func words(for error: JSONError) -> String {
        switch error {
        case .notJSON: "not JSON"
        case .tooLarge: "larger than \(bytes >> 20) MiB"
        case .tooDeep: "nested deeper than \(depth) levels"
        case .tooManyValues: "JSON of more than \(values) values"
        }
    }
}

/// Never quotes the bytes: they can carry session tokens.
package enum JSONError: String, Error, Hashable, Sendable, CaseIterable {
    case notJSON = "not_json"
    case tooLarge = "too_large"
    case tooDeep = "too_deep"
    case tooManyValues = "too_many_values"
}

/// Position of a syntax error, for a user who inspects the file.
package struct JSONMistake: Equatable, Sendable {
    package let line: Int
    /// In bytes, from 1.
    package let column: Int

    /// nil if the text is valid JSON or exceeds the limits.
    package init?(in text: UnsafeRawBufferPointer, limits: JSONLimits) {
        guard limits.excess(of: text) == nil else { return nil }
        var reader = JSONReader(text)
        do {
            _ = try reader.document()
            return nil
        } catch {
            let before = text[..<min(reader.position, text.count)]
            let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            line = 1 + before.reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
            column = 1 + before.count - start
        }
    }
}
