import HTTPTypes
import NIOCore

extension Answer {
    /// The answer with a planned fault's framing fields; `gzip` tells whether the client accepts compressed bodies.
    func misframed(as framing: FaultEffects.Framing, gzip: Bool) -> Answer {
        switch framing {
        case .own: self
        case .cutCoding: gzip ? withCutCoding : self
        case .twoLengths: withLengthBefore
        case .lengthAndChunks: withChunks
        case .part: status == .ok ? asPart : self
        }
    }

    private var withCutCoding: Answer {
        var bytes = Array(body.readableBytesView)
        if fields[.contentEncoding] == nil { bytes = Gzip.compress(bytes) ?? bytes }
        var answer = Answer(status: status, fields: fields, body: ByteBuffer(bytes: bytes.prefix(bytes.count * 2 / 3)))
        answer.fields[.contentEncoding] = "gzip"
        return answer
    }

    private var withLengthBefore: Answer {
        var answer = self
        answer.fields[values: .contentLength] = [String(body.readableBytes + 1), String(body.readableBytes)]
        return answer
    }

    private var withChunks: Answer {
        var answer = self
        answer.fields[.transferEncoding] = "chunked"
        return answer
    }

    private var asPart: Answer {
        var answer = self
        let count = body.readableBytes
        answer.status = .partialContent
        answer.fields[.contentRange] = "bytes 0-\(max(0, count - 1))/\(count)"
        return answer
    }
}
