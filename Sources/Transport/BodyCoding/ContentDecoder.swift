import CZlib
import Glibc
package import Rules
import Values

/// Takes bytes of a body; a failure ends their decoding.
package typealias BodyTaker = (UnsafeRawBufferPointer) -> TransportFailure?

/// Decodes a body's codings in turn; the limit applies to each step, because unpacking in between costs time too.
package struct ContentDecoder {
    /// Outermost coding first; nil stands for an unknown one.
    private let stages: [Inflater?]

    /// Outermost coding first; nil when memory is short.
    ///
    /// Inflaters of `pool` are borrowed until `InflaterPool.giveBack`.
    package init?(_ codings: [ContentCoding], limit: Int, pool: InflaterPool) {
        var stages: [Inflater?] = []
        for coding in codings {
            guard coding != .unknown else {
                stages.append(nil)
                continue
            }
            guard let inflater = pool.take() ?? Inflater() else { return nil }
            inflater.begin(coding, limit: limit)
            stages.append(inflater)
        }
        self.stages = stages
    }

    var inflaters: [Inflater] { stages.compactMap { $0 } }

    /// A body without bytes is whole.
    package var isWhole: Bool { stages.allSatisfy { $0?.isWhole ?? true } }

    package func decode(_ bytes: UnsafeRawBufferPointer, from index: Int = 0, deliver: BodyTaker) -> TransportFailure? {
        guard !bytes.isEmpty else { return nil }
        guard index < stages.count else { return deliver(bytes) }
        guard let stage = stages[index] else { return .protocolError }
        return stage.decode(bytes) { decode($0, from: index + 1, deliver: deliver) }
    }
}

/// Inflaters for reuse; confined to one loop.
package final class InflaterPool {
    private static let maximumCount = 16

    private var idle: [Inflater] = []

    package init() {}

    func take() -> Inflater? { idle.popLast() }

    /// Call it once the decoder's body has been read.
    package func giveBack(_ decoder: ContentDecoder) {
        for inflater in decoder.inflaters where idle.count < Self.maximumCount { idle.append(inflater) }
    }
}

/// One coding of a body (RFC 9110 section 8.4.1).
package enum ContentCoding: UInt8 {
    case identity
    case gzip
    case deflate
    /// Fails once there is something to decode; libcurl knows br and zstd too.
    case unknown

    package init(_ name: Slice<UnsafeRawBufferPointer>) {
        if Self.matches(name, "gzip") || Self.matches(name, "x-gzip") {
            self = .gzip
        } else if Self.matches(name, "deflate") {
            self = .deflate
        } else if Self.matches(name, "identity") || Self.matches(name, "none") {
            self = .identity
        } else {
            self = .unknown
        }
    }

    /// Ignores case; `known` is in lower case.
    package static func matches(_ name: Slice<UnsafeRawBufferPointer>, _ known: StaticString) -> Bool {
        let known = UnsafeBufferPointer(start: known.utf8Start, count: known.utf8CodeUnitCount)
        return name.count == known.count && zip(name, known).allSatisfy { $0.lowercasedASCII == $1 }
    }
}

/// Decodes gzip (RFC 1952) or deflate (RFC 1950, and RFC 1951 as some servers send it); confined to one loop.
final class Inflater {
    private enum State {
        /// The first two bytes tell whether a deflate body has zlib's header.
        case undecided
        case inflating
        /// Tolerates this many bytes after the end.
        case ended(toleratedBytes: Int)
    }

    private static let outputCapacity = 16384
    private static let firstOfMember: UInt8 = 0x1f
    /// libcurl's limit of bytes after a raw deflate body.
    private static let toleratedTrailer = 4

    private let stream: UnsafeMutablePointer<z_stream>
    private let output: UnsafeMutablePointer<UInt8>
    private var state = State.inflating
    private var isGzip = false
    private var heldByte: UInt8?
    private var isRaw = false
    private var limit = 0
    private var produced = 0

    /// nil when memory is short.
    init?() {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard inflateInit2_(stream, Window.automatic, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            // With a property set, `deinit` would free the stream once more.
            stream.deallocate()
            return nil
        }
        self.stream = stream
        output = .allocate(capacity: Self.outputCapacity)
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        output.deallocate()
    }

    /// zlib's window bits, which also select the expected header.
    private enum Window {
        static let automatic: Int32 = 15 + 32
        static let zlib: Int32 = 15
        static let raw: Int32 = -15
    }

    /// `limit` bounds the whole decoded body.
    func begin(_ coding: ContentCoding, limit: Int) {
        self.limit = limit
        heldByte = nil
        isGzip = coding == .gzip
        isRaw = false
        produced = 0
        if coding == .deflate {
            state = .undecided
        } else {
            state = .inflating
            inflateReset2(stream, Window.automatic)
        }
    }

    /// No bytes at all are a whole body.
    var isWhole: Bool {
        switch state {
        case .undecided: heldByte == nil
        case .inflating: stream.pointee.total_in == 0
        case .ended: true
        }
    }

    /// A body that stops early is not an error here, see `isWhole`.
    ///
    /// Only another member of a gzip body may follow the end (RFC 1952 section 2.2).
    func decode(_ bytes: UnsafeRawBufferPointer, deliver: BodyTaker) -> TransportFailure? {
        guard case .undecided = state else { return inflate(bytes, deliver) }
        var rest = bytes
        if heldByte == nil {
            guard let first = bytes.first else { return nil }
            heldByte = first
            rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
        }
        guard var first = heldByte, let second = rest.first else { return nil }
        isRaw = first & 0x0f != 8 || first >> 4 > 7 || (UInt32(first) << 8 | UInt32(second)) % 31 != 0
        inflateReset2(stream, isRaw ? Window.raw : Window.zlib)
        state = .inflating
        let failure = withUnsafeBytes(of: &first) { inflate($0, deliver) }
        return failure ?? inflate(rest, deliver)
    }

    private func inflate(_ bytes: UnsafeRawBufferPointer, _ deliver: BodyTaker) -> TransportFailure? {
        var rest = bytes
        while !rest.isEmpty {
            if case .ended(let tolerated) = state, !beginsMember(rest) {
                guard rest.count <= tolerated else { return .protocolError }
                state = .ended(toleratedBytes: tolerated - rest.count)
                return nil
            }
            let count = min(rest.count, 1 << 30)
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: rest.baseAddress?.assumingMemoryBound(to: UInt8.self)
            )
            stream.pointee.avail_in = UInt32(count)
            if let failure = drain(deliver) { return failure }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count - Int(stream.pointee.avail_in)))
        }
        return nil
    }

    private func beginsMember(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard isGzip, bytes.first == Self.firstOfMember, inflateReset(stream) == Z_OK else { return false }
        state = .inflating
        return true
    }

    private func drain(_ deliver: BodyTaker) -> TransportFailure? {
        while true {
            stream.pointee.next_out = output
            stream.pointee.avail_out = UInt32(Self.outputCapacity)
            let code = CZlib.inflate(stream, Z_SYNC_FLUSH)
            let count = Self.outputCapacity - Int(stream.pointee.avail_out)
            if count > 0 {
                let allowed = min(count, limit - produced)
                produced += allowed
                if let failure = deliver(UnsafeRawBufferPointer(start: output, count: allowed)) { return failure }
                guard allowed == count else { return .bodyTooLarge }
            }
            switch code {
            case Z_OK:
                if stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 { return nil }
            case Z_BUF_ERROR:
                return nil
            case Z_STREAM_END:
                state = .ended(toleratedBytes: isRaw ? Self.toleratedTrailer : 0)
                return nil
            case Z_MEM_ERROR:
                return .localResources
            default:
                return .protocolError
            }
        }
    }
}

enum BodyOutcome {
    case incomplete
    /// The body ended after this many of the bytes.
    case complete(used: Int)
    case failed(TransportFailure)
}

/// The chunked transfer coding (RFC 9112 section 7.1), as lenient as libcurl.
struct ChunkedBody {
    private enum State: UInt8 {
        case size
        /// Extensions and line end.
        case sizeLine
        case data
        case dataEnd
        case trailer
        case trailerEnd
        /// After a line feed: a trailer or the last line follows.
        case lineStart
        /// Only the last line's feed is still to come.
        case last
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    /// libcurl's limit, leading zeros included.
    private static let maximumDigits = 16
    /// libcurl's limit of a trailer line, without its end.
    private static let maximumTrailerBytes = 4093

    private var state = State.size
    private var digits = 0
    private var trailerBytes = 0
    private var trailerIsGood = false
    /// The chunk's size while read, then the bytes still to come.
    private var left = 0
    private var trailerRoom: Int

    init(trailerRoom: Int) { self.trailerRoom = trailerRoom }

    /// All but the very last byte came: libcurl calls that whole when the connection ends.
    var isWholeAtEnd: Bool { state == .last }

    /// Parses the next bytes.
    mutating func read(_ bytes: UnsafeRawBufferPointer, deliver: BodyTaker) -> BodyOutcome {
        guard let base = bytes.baseAddress else { return .incomplete }
        var position = 0
        while position < bytes.count {
            switch state {
            case .sizeLine:
                guard let end = memchr(base + position, Int32(Self.lineFeed), bytes.count - position) else {
                    return .incomplete
                }
                position = UnsafeRawPointer(end) - base + 1
                state = left == 0 ? .trailer : .data
            case .data:
                let count = min(left, bytes.count - position)
                if let failure = deliver(UnsafeRawBufferPointer(start: base + position, count: count)) {
                    return .failed(failure)
                }
                left &-= count
                position &+= count
                if left == 0 { state = .dataEnd }
            case .last:
                guard bytes[position] == Self.lineFeed else { return .failed(.protocolError) }
                return .complete(used: position &+ 1)
            default:
                guard let step = take(bytes[position]) else { return .failed(.protocolError) }
                position &+= step
            }
        }
        return .incomplete
    }

    /// 1 if the byte was used, 0 if it belongs to the next state, nil when it is invalid.
    private mutating func take(_ byte: UInt8) -> Int? {
        let isLineEnd = byte == Self.carriageReturn || byte == Self.lineFeed
        switch state {
        case .size: return takeSize(byte)
        case .dataEnd:
            guard isLineEnd else { return nil }
            if byte == Self.lineFeed {
                state = .size
                digits = 0
            }
            return 1
        case .trailer: return takeTrailer(byte, isLineEnd: isLineEnd)
        case .trailerEnd:
            guard byte == Self.lineFeed else { return nil }
            state = .lineStart
            return 1
        case .lineStart:
            state = isLineEnd ? .last : .trailer
            return byte == Self.carriageReturn ? 1 : 0
        case .sizeLine, .data, .last: return nil
        }
    }

    private mutating func takeSize(_ byte: UInt8) -> Int? {
        guard let value = byte.hexDigitValue else {
            guard digits > 0 else { return nil }
            state = .sizeLine
            return 0
        }
        guard digits < Self.maximumDigits else { return nil }
        if digits == 0 { left = 0 }
        guard left <= Int.max >> 4 else { return nil }
        left = left << 4 | Int(value)
        digits &+= 1
        return 1
    }

    private mutating func takeTrailer(_ byte: UInt8, isLineEnd: Bool) -> Int? {
        guard isLineEnd else {
            if trailerBytes == 0 { trailerIsGood = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
            trailerIsGood = trailerIsGood || byte == UInt8(ascii: ":")
            trailerBytes &+= 1
            guard byte != 0, trailerBytes <= Self.maximumTrailerBytes, trailerBytes &+ 2 <= trailerRoom else {
                return nil
            }
            return 1
        }
        guard trailerBytes > 0 else {
            state = .lineStart
            return 0
        }
        guard trailerIsGood else { return nil }
        trailerRoom &-= trailerBytes &+ 2
        trailerBytes = 0
        state = .trailerEnd
        return byte == Self.carriageReturn ? 1 : 0
    }
}
