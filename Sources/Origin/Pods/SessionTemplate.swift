import NIOCore

/// A body that differs between sessions only by the stream id in it: kept once, filled for each.
struct SessionTemplate: Sendable {
    /// Stands for the stream id while a template is written; no playlist or URL contains this character.
    static let placeholder = "\u{0}"

    private let pieces: [[UInt8]]
    private let length: Int

    init(_ text: [UInt8]) {
        pieces = text.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
        length = pieces.reduce(0) { $0 + $1.count }
    }

    /// The body for a session, its id written as it is given.
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
