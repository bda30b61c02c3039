/// What a JSON text of somebody else may be before anything is made of it.
///
/// No real document comes near to these; all are podswarm's assumptions.
package struct JSONLimits: Hashable, Sendable {
    package var bytes: Int
    /// How many arrays and objects may stand in one another.
    package var depth: Int
    /// An empty array or object counts for two.
    package var values: Int

    package init(bytes: Int, depth: Int, values: Int) {
        self.bytes = bytes
        self.depth = depth
        self.values = values
    }

    /// Of an answer that is read on an event loop: as many values as take a few hundredths of a second.
    package static let answer = JSONLimits(bytes: 16 << 20, depth: 128, values: 250_000)

    /// Of a result, which a command reads.
    package static let result = JSONLimits(bytes: 256 << 20, depth: 64, values: 10_000_000)

    /// Of a record of a journal, which may hold a whole run.
    package static let record = JSONLimits(bytes: 1 << 30, depth: 64, values: 100_000_000)

    /// Looks over a text that may be no JSON at all, once and from its beginning to its end.
    ///
    /// Where nothing is thrown, whoever reads the text meets no more than the limits up to its first mistake.
    ///
    /// - Returns: How many bytes were looked at.
    /// - Throws: What is exceeded, as soon as it is.
    @discardableResult
    package func check(_ text: UnsafeRawBufferPointer) throws(JSONError) -> Int {
        guard text.count <= bytes else { throw .tooLarge }
        var (open, found, position) = (0, 1, 0)
        while position < text.count {
            let byte = text[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): position = Self.end(ofTextAt: position, in: text)
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                open += 1
                guard open <= depth else { throw .tooDeep }
                found += 1
                guard found <= values else { throw .tooManyValues }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): open = max(0, open - 1)
            case UInt8(ascii: ","):
                found += 1
                guard found <= values else { throw .tooManyValues }
            default: break
            }
        }
        return position
    }

    /// What a text exceeds; nil for nothing.
    package func excess(of text: UnsafeRawBufferPointer) -> JSONError? {
        do {
            try check(text)
            return nil
        } catch {
            return error
        }
    }

    /// The place behind the closing quote, or behind the last byte.
    static func end(ofTextAt start: Int, in text: UnsafeRawBufferPointer) -> Int {
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

    /// What is wrong with a text that an error was thrown for, to stand behind "it is".
    package func words(for error: JSONError) -> String {
        switch error {
        case .notJSON: "not JSON"
        case .tooLarge: "larger than \(bytes >> 20) MiB"
        case .tooDeep: "nested deeper than \(depth) levels"
        case .tooManyValues: "JSON of more than \(values) values"
        }
    }
}
