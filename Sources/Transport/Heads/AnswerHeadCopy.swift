/// The head of an answer, kept beyond the handler's call: one copy of bytes, read when somebody wants to know.
package struct AnswerHeadCopy: Sendable {
    /// What is kept of a head: more than any that caches and ad servers send.
    static let limit = 4096

    /// A status line, and a line for each header.
    private let bytes: [UInt8]

    /// Copies the first 4 KiB of a head; a line that is cut off is left out.
    init(_ head: UnsafeRawBufferPointer) {
        guard head.count > Self.limit else {
            bytes = Array(head)
            return
        }
        let kept = head.prefix(Self.limit)
        let end = kept.lastIndex(of: AnswerHead.lineFeed).map { $0 + 1 } ?? 0
        bytes = Array(kept[..<end])
    }

    /// Takes headers that do not lie in memory as they came.
    init(_ headers: [(name: String, value: String)]) {
        var text = "\n"
        for header in headers where text.utf8.count < Self.limit { text += "\(header.name): \(header.value)\n" }
        bytes = Array(text.utf8)
    }

    /// Hands over the bytes of a header's last value, valid during the call; nil when the head has none.
    ///
    /// - Parameters:
    ///   - name: In lower case.
    ///   - take: Reads the value.
    package func read(_ name: StaticString, _ take: (UnsafeRawBufferPointer?) -> Void) {
        bytes.withUnsafeBytes { HeaderLookup.read(name, in: $0, take) }
    }

    /// Hands over the bytes of each value of a header, in their order, valid during the call.
    ///
    /// - Parameters:
    ///   - name: In lower case.
    ///   - take: Reads one.
    package func readEach(_ name: StaticString, _ take: (UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { HeaderLookup.readEach(name, in: $0, take) }
    }
}
