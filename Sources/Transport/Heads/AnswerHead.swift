import Glibc
import Rules
import Values

/// An answer's framing, parsed line by line (RFC 9112 sections 4 to 6).
struct AnswerHead {
    enum Step {
        case header
        case end
        case malformed
    }

    private struct Traits: OptionSet {
        let rawValue: UInt8
        static let hasStatusLine = Traits(rawValue: 1)
        static let hasHeader = Traits(rawValue: 2)
        static let isHTTP10 = Traits(rawValue: 4)
        static let closes = Traits(rawValue: 8)
        static let isChunked = Traits(rawValue: 16)
        /// Another coding than chunked: the connection's end ends the body.
        static let ignoresLength = Traits(rawValue: 32)
        static let decodesContent = Traits(rawValue: 64)
        /// More than 63 bits.
        static let hasGreatLength = Traits(rawValue: 128)
    }

    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")

    private(set) var codings = CodingList()
    private var contentLength = -1
    /// May be that of an interim answer before this head.
    private(set) var status: UInt16 = 0
    private var traits: Traits
    private(set) var flaws: AnswerFlaws = []

    init(decodesContent: Bool) { traits = decodesContent ? .decodesContent : [] }

    var hasStatusLine: Bool { traits.contains(.hasStatusLine) }

    /// As in libcurl, an upgrade ends HTTP.
    var isInterim: Bool { status < 200 && status != 101 }

    var isChunked: Bool { traits.contains(.isChunked) && !isBodiless }

    var closesConnection: Bool { traits.contains(.closes) || (bodyLength < 0 && !isChunked) }

    /// Negative when chunks or the connection's end delimit it.
    var bodyLength: Int {
        if status == 204 || status == 304 { return 0 }
        return traits.isDisjoint(with: [.isChunked, .ignoresLength]) ? contentLength : -1
    }

    private var isBodiless: Bool { status < 200 || status == 204 || status == 304 }

    /// Keeps the interim head's `Connection` options.
    mutating func beginNext() {
        traits.formIntersection([.closes, .decodesContent])
        flaws = []
    }

    /// `line` includes its LF or CRLF.
    @inline(__always)
    mutating func take(_ start: UnsafeRawPointer, _ line: HeadLine) -> Step {
        guard traits.contains(.hasStatusLine) else { return takeStatusLine(start, line.count) }
        let first = start.load(as: UInt8.self)
        if first == Self.carriageReturn || first == Self.lineFeed { return .end }
        if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
            // Folded lines say nothing about framing.
            return traits.contains(.hasHeader) ? .header : .malformed
        }
        guard line.colon >= 0 else { return .malformed }
        traits.insert(.hasHeader)
        // The lengths of names that matter: 10, 14, 16 and 17.
        guard line.colon < 32, 0x3_4400 >> UInt32(truncatingIfNeeded: line.colon) & 1 != 0 else { return .header }
        return takeHeader(start, line.colon, line.count)
    }

    @inline(never)
    private mutating func takeHeader(_ line: UnsafeRawPointer, _ nameCount: Int, _ count: Int) -> Step {
        let value = UnsafeRawBufferPointer(start: line + nameCount + 1, count: count &- nameCount &- 1)
        let front = Self.lowercased(line)
        let back = Self.lowercased(line + nameCount - 8)
        switch nameCount {
        case 10 where front == Word.connecti && back == Word.nnection:
            takeConnection(value)
        case 14 where front == Word.contentHyphen && back == Word.tHyphenLength && Self.hasHyphen(line, 7):
            return isBodiless ? .header : takeContentLength(value)
        case 16 where front == Word.contentHyphen && back == Word.encoding && Self.hasHyphen(line, 7):
            guard !isBodiless, traits.contains(.decodesContent) else { break }
            return codings.take(value, isTransfer: false) == nil ? .malformed : .header
        case 17 where front == Word.transfer && back == Word.encoding && Self.hasHyphen(line, 8):
            guard !isBodiless else { break }
            guard let hasChunked = codings.take(value, isTransfer: true) else { return .malformed }
            if hasChunked { traits.insert(.isChunked) }
            if !traits.contains(.isChunked) { traits.formUnion([.ignoresLength, .closes]) }
            if contentLength >= 0 || traits.contains(.hasGreatLength) { flaws.insert(.lengthWithTransferCoding) }
        default: break
        }
        return .header
    }

    /// Eight bytes of names, lower case, little-endian.
    private enum Word {
        static let connecti: UInt64 = 0x6974_6365_6e6e_6f63
        static let nnection: UInt64 = 0x6e6f_6974_6365_6e6e
        static let contentHyphen: UInt64 = 0x2d74_6e65_746e_6f63
        static let tHyphenLength: UInt64 = 0x6874_676e_656c_2d74
        static let encoding: UInt64 = 0x676e_6964_6f63_6e65
        static let transfer: UInt64 = 0x7265_6673_6e61_7274
        static let blankKeepAl: UInt64 = 0x6c61_2d70_6565_6b20
        static let pAliveEnd: UInt64 = 0x2a2d_6576_696c_612d
    }

    @inline(__always)
    private static func lowercased(_ text: UnsafeRawPointer) -> UInt64 {
        UInt64(littleEndian: text.loadUnaligned(as: UInt64.self)) | 0x2020_2020_2020_2020
    }

    /// A carriage return in lower case is a hyphen too.
    @inline(__always)
    private static func hasHyphen(_ line: UnsafeRawPointer, _ offset: Int) -> Bool {
        line.load(fromByteOffset: offset, as: UInt8.self) == UInt8(ascii: "-")
    }

    /// HTTP/1.0 needs `keep-alive`.
    private mutating func takeConnection(_ value: UnsafeRawBufferPointer) {
        if let base = value.baseAddress, value.count == 13, Self.lowercased(base) == Word.blankKeepAl,
            Self.lowercased(base + 5) == Word.pAliveEnd, !traits.contains(.isHTTP10)
        {
            // Nearly all servers of HTTP/1.1 send this.
            return
        }
        if traits.contains(.isHTTP10), Self.has("keep-alive", in: value) {
            traits.remove(.closes)
        } else if Self.has("close", in: value) {
            traits.insert(.closes)
        }
    }

    /// Ignores case; as in libcurl, the option may stand anywhere.
    private static func has(_ option: StaticString, in value: UnsafeRawBufferPointer) -> Bool {
        let text = value.prefix { $0 != carriageReturn && $0 != lineFeed }
        return text.indices.contains { ContentCoding.matches(text[$0...].prefix(option.utf8CodeUnitCount), option) }
    }

    /// As in libcurl, the last header counts and anything may follow the number; more than 63 bits leave the length to the
    /// connection's end.
    private mutating func takeContentLength(_ value: UnsafeRawBufferPointer) -> Step {
        guard let base = value.baseAddress else { return .malformed }
        var position = 0
        while position < value.count, Self.isBlank(base.load(fromByteOffset: position, as: UInt8.self)) {
            position &+= 1
        }
        var isSigned = false
        if position < value.count, base.load(fromByteOffset: position, as: UInt8.self) == UInt8(ascii: "+") {
            position &+= 1
            isSigned = true
        }
        var number = 0
        var hasDigit = false
        var isTooGreat = false
        while position < value.count {
            let digit = base.load(fromByteOffset: position, as: UInt8.self) &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            hasDigit = true
            let (tenfold, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tenfold.addingReportingOverflow(Int(digit))
            isTooGreat = isTooGreat || overflow || carry
            number = sum
            position &+= 1
        }
        guard hasDigit else { return .malformed }
        let end = position < value.count ? base.load(fromByteOffset: position, as: UInt8.self) : Self.lineFeed
        if end != Self.carriageReturn && end != Self.lineFeed || isSigned || contentLength >= 0 || isTooGreat
            || !traits.isDisjoint(with: [.isChunked, .ignoresLength, .hasGreatLength])
        {
            judgeLength(value, isTooGreat ? nil : number)
        }
        if isTooGreat { traits.formUnion([.closes, .hasGreatLength]) } else { contentLength = number }
        return .header
    }

    /// Equal lengths may repeat, in lines or in a list (RFC 9110 section 8.6, RFC 9112 section 6.3).
    @inline(never)
    private mutating func judgeLength(_ value: UnsafeRawBufferPointer, _ number: Int?) {
        if !traits.isDisjoint(with: [.isChunked, .ignoresLength]) { flaws.insert(.lengthWithTransferCoding) }
        let isSame = contentLength < 0 || contentLength == number
        let areBothGreat = !traits.contains(.hasGreatLength) || number == nil
        let isList = value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).allSatisfy { member in
            let digits = member.filter { !Self.isSpace($0) }
            return !digits.isEmpty && digits.allSatisfy { $0 &- UInt8(ascii: "0") <= 9 }
                && Int(String(decoding: digits, as: UTF8.self)) == number
        }
        if !isSame || !areBothGreat || !isList { flaws.insert(.lengthInvalid) }
    }

    /// libcurl has read the status line, of any version.
    init(after statusLine: UnsafeRawBufferPointer, decodesContent: Bool) {
        self.init(decodesContent: decodesContent)
        traits.insert(.hasStatusLine)
        let code = statusLine.drop { $0 != UInt8(ascii: " ") }.drop { $0 == UInt8(ascii: " ") }.prefix(3)
        status = UInt16(String(decoding: code, as: UTF8.self)) ?? 0
    }

    private static let http11: UInt64 = 0x312e_312f_5054_5448
    private static let http10: UInt64 = 0x302e_312f_5054_5448

    /// HTTP/0.9 and no HTTP at all are not waited for.
    static func mayBeginStatusLine(_ line: UnsafeRawBufferPointer) -> Bool {
        zip(line, "HTTP/".utf8).allSatisfy { $0 == $1 }
    }

    /// As libcurl demands: version 1.x, white space that begins with a space, three digits.
    private mutating func takeStatusLine(_ line: UnsafeRawPointer, _ count: Int) -> Step {
        guard count > 12 else { return .malformed }
        let version = UInt64(littleEndian: line.loadUnaligned(as: UInt64.self))
        guard version == Self.http11 || version == Self.http10, line.load(fromByteOffset: 8, as: UInt8.self) == 0x20
        else { return .malformed }
        var position = 9
        while position < count, Self.isSpace(line.load(fromByteOffset: position, as: UInt8.self)) { position &+= 1 }
        guard position &+ 3 < count else { return .malformed }
        var code: UInt16 = 0
        for offset in position..<position &+ 3 {
            let digit = line.load(fromByteOffset: offset, as: UInt8.self) &- UInt8(ascii: "0")
            guard digit <= 9 else { return .malformed }
            code = code &* 10 &+ UInt16(digit)
        }
        let following = line.load(fromByteOffset: position &+ 3, as: UInt8.self) &- UInt8(ascii: "0")
        guard code >= 100, following > 9 else { return .malformed }
        status = code
        traits.insert(.hasStatusLine)
        if version == Self.http10 { traits.formUnion([.isHTTP10, .closes]) }
        return .header
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0d) }
}

/// Length with the line end; `colon` is negative without one.
struct HeadLine {
    let count: Int
    let colon: Int

    /// nil for an unfinished line.
    @inline(__always)
    init?(at start: UnsafeRawPointer, of available: Int) {
        guard let end = memchr(start, Int32(AnswerHead.lineFeed), available) else { return nil }
        count = UnsafeRawPointer(end) - start + 1
        colon = memchr(start, Int32(UInt8(ascii: ":")), count).map { UnsafeRawPointer($0) - start } ?? -1
    }
}

struct CodingList {
    /// libcurl's limit: a head cannot demand endless decoders.
    static let maximumCount = 5

    private var packed: UInt32 = 0
    private var count: UInt8 = 0

    var isEmpty: Bool { count == 0 }

    /// nil when there are too many codings; true if `chunked`, which is not kept, was among them.
    mutating func take(_ value: UnsafeRawBufferPointer, isTransfer: Bool) -> Bool? {
        var hasChunked = false
        var position = 0
        while position < value.count {
            while position < value.count, Self.isSeparator(value[position]) { position &+= 1 }
            let start = position
            var end = position
            while position < value.count, value[position] != UInt8(ascii: ",") {
                let byte = value[position]
                position &+= 1
                if !AnswerHead.isSpace(byte) { end = position }
            }
            let name = value[start..<end]
            guard !name.isEmpty else { continue }
            if isTransfer, ContentCoding.matches(name, "chunked") {
                hasChunked = true
                continue
            }
            guard Int(count) < Self.maximumCount else { return nil }
            let entry = UInt32(ContentCoding(name).rawValue) | (isTransfer ? 4 : 0)
            packed |= entry << (UInt32(count) &* 4)
            count &+= 1
        }
        return hasChunked
    }

    /// Outermost first: the transfer's, then the content's.
    var decodingOrder: [ContentCoding] {
        let entries = (0..<Int(count)).reversed().map(entry)
        let ordered = entries.filter(\.isTransfer) + entries.filter { !$0.isTransfer }
        return ordered.map(\.coding).filter { $0 != .identity }
    }

    private func entry(_ index: Int) -> (coding: ContentCoding, isTransfer: Bool) {
        let bits = packed >> (UInt32(index) &* 4)
        return (ContentCoding(rawValue: UInt8(bits & 3)) ?? .unknown, bits & 4 != 0)
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { AnswerHead.isBlank(byte) || byte == UInt8(ascii: ",") }
}

enum HeaderLookup {
    /// The last value, unfolded and trimmed.
    static func value(of name: String, in head: UnsafeRawBufferPointer) -> String? {
        var name = name
        var last: (value: Range<Int>, folded: Range<Int>)?
        name.withUTF8 { name in forEach(name, in: head) { last = ($0, $1) } }
        return last.map { unfolded(trimmed(head[$0.value]), head[$0.folded]) }
    }

    /// The last value, trimmed, without folded lines after the first.
    static func read(_ name: StaticString, in head: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer?) -> Void) {
        var last: UnsafeRawBufferPointer?
        readEach(name, in: head) { last = $0 }
        take(last)
    }

    /// Values in order, without folded lines after the first.
    static func readEach(
        _ name: StaticString,
        in head: UnsafeRawBufferPointer,
        _ take: (UnsafeRawBufferPointer) -> Void
    ) {
        let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        forEach(name, in: head) { value, _ in take(UnsafeRawBufferPointer(rebasing: trimmed(head[value]))) }
    }

    private static func forEach(
        _ name: UnsafeBufferPointer<UInt8>,
        in head: UnsafeRawBufferPointer,
        _ take: (_ value: Range<Int>, _ folded: Range<Int>) -> Void
    ) {
        var position = lineEnd(from: 0, in: head)
        while position < head.count {
            let (start, end) = (position, lineEnd(from: position, in: head))
            position = end
            guard isNamed(name, head[start..<end]) else { continue }
            while position < head.count, AnswerHead.isBlank(head[position]) {
                position = lineEnd(from: position, in: head)
            }
            take(start &+ name.count &+ 1..<end, end..<position)
        }
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
        let value = text.drop(while: AnswerHead.isBlank)
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
