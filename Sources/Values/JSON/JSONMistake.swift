/// Position of a syntax error, for a user who inspects the file.
package struct JSONMistake: Equatable, Sendable {
    /// From 1.
    package let line: Int
    /// In bytes from the start of the line, from 1.
    package let column: Int

    /// Finds the error in linear time; nil if the text is valid JSON or exceeds the limits.
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
