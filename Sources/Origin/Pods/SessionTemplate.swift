import NIOCore

/// A body that differs between sessions only by the stream id: cached once, filled for each.
struct SessionTemplate: Sendable {
    /// Placeholder of the stream id; no playlist or URL contains this character.
    static let placeholder = "\u{0}"

    private let pieces: [[UInt8]]
    private let length: Int

    init(_ text: [UInt8]) {
        pieces = text.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
        length = pieces.reduce(0) { $0 + $1.count }
    }

    func filled(with streamID: String) -> ByteBuffer {
        let identifier = Array(streamID.utf8)
        var buffer = ByteBufferAllocator().buffer(capacity: length + (pieces.count - 1) * identifier.count)
        for (index, piece) in pieces.enumerated() {
            if index > 0 { buffer.writeBytes(identifier) }
            buffer.writeBytes(piece)
        }
        return buffer
    }
}
