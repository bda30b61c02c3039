import Rulebook

@testable import Transport

/// What reading an answer came to.
struct AnswerOutcome: Equatable, CustomStringConvertible {
    var progress: AnswerReader.Progress
    var status: Int
    var body: [UInt8]
    var wireBodyBytes: Int
    var keepsConnection: Bool
    var contentType: String?
    var flaws: AnswerFlaws

    /// Reads an answer in pieces of the given sizes, the rest in one.
    init(
        of bytes: [UInt8],
        pieces: some Sequence<Int> = [],
        closes: Bool = false,
        keepsBody: Bool = true,
        reader: inout AnswerReader
    ) {
        var progress = AnswerReader.Progress.incomplete
        var body: [UInt8] = []
        var contentType: String?
        bytes.withUnsafeBytes { all in
            var rest = all[...]
            var sizes = pieces.makeIterator()
            while !rest.isEmpty {
                let count = min(rest.count, sizes.next() ?? rest.count)
                // A copy of its own, so that nothing beyond it or after its time is read unpunished.
                let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
                piece.copyBytes(from: rest.prefix(count))
                rest = rest.dropFirst(count)
                let before = progress
                progress = reader.read(UnsafeRawBufferPointer(piece), keepsBody: keepsBody)
                if rest.isEmpty, closes { progress = reader.ended() }
                // What follows a complete answer ends the time in which its body may be looked at.
                if before == .incomplete, progress != .incomplete {
                    body = Array(reader.body)
                    contentType = reader.header("Content-Type")
                }
                piece.deallocate()
            }
        }
        self.progress = progress
        status = reader.status
        self.body = body
        wireBodyBytes = reader.wireBodyBytes
        keepsConnection = reader.keepsConnection
        self.contentType = contentType
        flaws = reader.flaws
    }

    var isComplete: Bool { progress == .complete }

    /// Whether two readings agree in all that does not depend on how an answer that fails was split.
    func agrees(with other: AnswerOutcome) -> Bool {
        guard progress == other.progress, status == other.status, keepsConnection == other.keepsConnection,
            flaws == other.flaws
        else { return false }
        return !isComplete
            || (body == other.body && wireBodyBytes == other.wireBodyBytes && contentType == other.contentType)
    }

    var description: String {
        "\(progress) \(status) \(String(decoding: body, as: UTF8.self).debugDescription) (\(wireBodyBytes)) "
            + (keepsConnection ? "kept" : "not kept")
    }
}

extension AnswerReader {
    static let generous = Limits(headerBytes: 64 << 10, bodyBytes: 64 << 20)
}
