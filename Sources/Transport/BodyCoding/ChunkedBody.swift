import Glibc
package import Rules
import Values

package enum BodyOutcome {
    case incomplete
    /// The body ended after this many of the bytes.
    case complete(used: Int)
    case failed(TransportFailure)
}

/// The chunked transfer coding (RFC 9112 section 7.1), as lenient as libcurl.
package struct ChunkedBody {
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

    package init(trailerRoom: Int) { self.trailerRoom = trailerRoom }

    /// All but the very last byte came: libcurl calls that whole when the connection ends.
    package var isWholeAtEnd: Bool { state == .last }

    /// Parses the next bytes; a failure that `deliver` returns ends parsing.
    package mutating func read(
        _ bytes: UnsafeRawBufferPointer,
        deliver: (UnsafeRawBufferPointer) -> TransportFailure?
    ) -> BodyOutcome {
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
