/// The head of an answer, copied so that it outlives the handler's call; its bytes are parsed on demand.
package struct AnswerHeadCopy: Sendable {
    /// More bytes than the head of any cache or ad server.
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

    init(_ headers: [(name: String, value: String)]) {
        var text = "\n"
        for header in headers where text.utf8.count < Self.limit { text += "\(header.name): \(header.value)\n" }
        bytes = Array(text.utf8)
    }

    /// Passes the bytes of the last value of a header, its name in lower case; valid during the call, nil without one.
    package func read(_ name: StaticString, _ take: (UnsafeRawBufferPointer?) -> Void) {
        bytes.withUnsafeBytes { HeaderLookup.read(name, in: $0, take) }
    }

    /// Passes the bytes of each value of a header, its name in lower case, in their order; valid during the call.
    package func readEach(_ name: StaticString, _ take: (UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { HeaderLookup.readEach(name, in: $0, take) }
    }
}
