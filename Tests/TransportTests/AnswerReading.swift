import Rules

@testable import Transport

/// What reading an answer comes to, whichever reader it was.
struct AnswerReading: Equatable, Sendable {
    var failure: TransportFailure?
    var status = 0
    /// This and what follows are empty where it failed.
    var body: [UInt8] = []
    /// As they came, before decoding.
    var bodyBytes = 0
    var contentType: String?
    var isKept = false
    var flaws: AnswerFlaws = []
}

extension AnswerReading {
    /// Reads an answer in pieces of the given sizes, the rest in one; what is not complete is waited for in vain.
    init(
        of bytes: [UInt8],
        pieces: some Sequence<Int> = [],
        closes: Bool = false,
        keepsBody: Bool = true,
        reader: inout AnswerReader
    ) {
        var progress = AnswerReader.Progress.incomplete
        reader.keepsBody = keepsBody
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
                progress = reader.read(UnsafeRawBufferPointer(piece))
                if rest.isEmpty, closes { progress = reader.ended() }
                // What follows a complete answer ends the time in which its body may be looked at.
                if before == .incomplete, progress == .complete {
                    (body, contentType) = (Array(reader.body), HeaderLookup.value(of: "Content-Type", in: reader.head))
                }
                piece.deallocate()
            }
        }
        (status, isKept, flaws) = (reader.status, reader.keepsConnection, reader.flaws)
        switch progress {
        case .complete: bodyBytes = reader.wireBodyBytes
        case .failed(let reason): failure = reason
        case .incomplete: failure = .firstByteTimeout
        }
        if failure != nil { (body, contentType) = ([], nil) }
    }
}
