import Glibc
import Values

enum HeaderLookup {
    /// The last value, unfolded and trimmed.
    static func value(of name: String, in head: UnsafeRawBufferPointer) -> String? {
        var name = name
        guard let found = name.withUTF8({ place(of: $0, in: head) }) else { return nil }
        let value = trimmed(head[found.value])
        guard let folded = found.folded else { return String(decoding: value, as: UTF8.self) }
        return unfolded(value, head[folded])
    }

    /// The last value, trimmed, without folded lines after the first.
    static func read<Result>(
        _ name: StaticString,
        in head: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer?) -> Result
    ) -> Result {
        let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        guard let found = place(of: name, in: head) else { return body(nil) }
        return body(UnsafeRawBufferPointer(rebasing: trimmed(head[found.value])))
    }

    /// Values in order, without folded lines after the first.
    static func readEach(
        _ name: StaticString,
        in head: UnsafeRawBufferPointer,
        _ take: (UnsafeRawBufferPointer) -> Void
    ) {
        let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        var position = lineEnd(from: 0, in: head)
        while position < head.count {
            let end = lineEnd(from: position, in: head)
            if isNamed(name, head[position..<end]) {
                take(UnsafeRawBufferPointer(rebasing: trimmed(head[(position &+ name.count &+ 1)..<end])))
            }
            position = end
        }
    }

    /// The last value, and its folded lines.
    private static func place(
        of name: UnsafeBufferPointer<UInt8>,
        in head: UnsafeRawBufferPointer
    ) -> (value: Range<Int>, folded: Range<Int>?)? {
        var found: Range<Int>?
        var folded: Range<Int>?
        var position = lineEnd(from: 0, in: head)
        var isFound = false
        while position < head.count {
            let end = lineEnd(from: position, in: head)
            let first = head[position]
            if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
                if isFound { folded = (folded?.lowerBound ?? position)..<end }
            } else {
                isFound = isNamed(name, head[position..<end])
                if isFound {
                    found = position &+ name.count &+ 1..<end
                    folded = nil
                }
            }
            position = end
        }
        return found.map { ($0, folded) }
    }

    private static func lineEnd(from start: Int, in head: UnsafeRawBufferPointer) -> Int {
        head[start...].firstIndex(of: AnswerHead.lineFeed).map { $0 &+ 1 } ?? head.count
    }

    private static func isNamed(_ name: UnsafeBufferPointer<UInt8>, _ line: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard line.count > name.count, line[line.startIndex &+ name.count] == UInt8(ascii: ":") else { return false }
        return zip(name, line).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
    }

    private static func trimmed(_ line: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        let text = line.prefix { $0 != AnswerHead.carriageReturn && $0 != AnswerHead.lineFeed }
        let value = text.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        var end = value.endIndex
        while end > value.startIndex, AnswerHead.isSpace(value[end &- 1]) { end &-= 1 }
        return value[value.startIndex..<end]
    }

    /// One blank between lines (RFC 9112 section 5.2).
    private static func unfolded(_ value: Slice<UnsafeRawBufferPointer>, _ lines: Slice<UnsafeRawBufferPointer>)
        -> String
    {
        var whole = Array(value)
        for line in lines.split(separator: AnswerHead.lineFeed) {
            let text = trimmed(line)
            guard !text.isEmpty, text.startIndex > line.startIndex else { continue }
            whole.append(line[text.startIndex &- 1])
            whole.append(contentsOf: text)
        }
        return String(decoding: whole, as: UTF8.self)
    }
}

/// Outlives the handler's call; parsed on demand.
package struct AnswerHeadCopy: Sendable {
    /// More than any cache's or ad server's head.
    static let limit = 4096

    private let bytes: [UInt8]

    /// A line cut off at `limit` is left out.
    init(_ head: UnsafeRawBufferPointer) {
        guard head.count > Self.limit else {
            bytes = Array(head)
            return
        }
        let kept = head.prefix(Self.limit)
        let end = kept.lastIndex(of: AnswerHead.lineFeed).map { $0 + 1 } ?? 0
        bytes = Array(kept[..<end])
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The last value, valid during the call; nil without one; `name` is in lower case.
    package func read(_ name: StaticString, _ take: (UnsafeRawBufferPointer?) -> Void) {
        bytes.withUnsafeBytes { HeaderLookup.read(name, in: $0, take) }
    }

    /// Values in order, valid during the call; `name` is in lower case.
    package func readEach(_ name: StaticString, _ take: (UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { HeaderLookup.readEach(name, in: $0, take) }
    }
}
