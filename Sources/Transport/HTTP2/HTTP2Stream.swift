/// One request on a connection and the answer to it, as far as it has come.
///
/// The answer is handed on as the bytes that HTTP/1.1 would have for it, so that one reader parses both: status lines and
/// header lines, an empty line, then the body without framing. Confined to its session's loop, so no access is checked for
/// exclusivity: each answer would pay for it a hundred times.
package final class HTTP2Stream {
    package enum End: Equatable, Sendable {
        case complete
        /// The server has not processed the request: it may be sent again (RFC 9113 section 8.7).
        case refused
        /// The server wants the request over HTTP/1.1 (RFC 9113 section 7, HTTP_1_1_REQUIRED).
        case wantsHTTP1
        /// One side ended the stream with an error code of RFC 9113 section 7.
        case reset(code: UInt32)
        case connectionLost
    }

    /// 0 while unused.
    @exclusivity(unchecked) package internal(set) var id: Int32 = 0
    @exclusivity(unchecked) package internal(set) var end: End?
    @exclusivity(unchecked) package internal(set) var hasBegun = false
    /// Whether there are unread bytes, or the end.
    @exclusivity(unchecked) var isTouched = false
    /// The head of the final answer is whole: later header fields are trailers.
    @exclusivity(unchecked) var hasHead = false
    /// The server has ended the stream.
    @exclusivity(unchecked) var isWhole = false
    /// The status of the head being read.
    @exclusivity(unchecked) var status = 0
    /// Bytes of heads and trailers.
    @exclusivity(unchecked) var headerBytes = 0
    @exclusivity(unchecked) var requestBody: [UInt8] = []
    @exclusivity(unchecked) var requestOffset = 0
    /// Allocated only once bytes have come: in a burst thousands wait for their first byte.
    @exclusivity(unchecked) private var memory = BodyBuffer()

    /// A stream that had a larger answer than most does not keep its memory.
    private static let keptCapacity = 64 << 10

    package init() {}

    deinit { memory.deallocate() }

    /// The bytes since the last clearing, valid until the next call of any member or of the session.
    package var answer: UnsafeRawBufferPointer { memory.bytes }

    package func clearAnswer() { memory.removeAll() }

    /// Prepares for another request; `keepsMemory` keeps the buffer for the next answer.
    package func reset(keepsMemory: Bool) {
        id = 0
        end = nil
        hasBegun = false
        isTouched = false
        hasHead = false
        isWhole = false
        status = 0
        headerBytes = 0
        requestBody = []
        requestOffset = 0
        memory.removeAll()
        guard !keepsMemory || memory.capacity > Self.keptCapacity else { return }
        memory.deallocate()
        memory = BodyBuffer()
    }

    func append(_ start: UnsafeRawPointer?, _ length: Int) {
        if let start { memory.append(UnsafeRawBufferPointer(start: start, count: length)) }
    }

    func appendLine(_ name: UnsafeRawBufferPointer, _ divider: StaticString, _ value: UnsafeRawBufferPointer) {
        let length = name.count + divider.utf8CodeUnitCount + value.count + 2
        guard var place = memory.extend(by: length) else { return }
        if let start = name.baseAddress { place.copyMemory(from: start, byteCount: name.count) }
        place += name.count
        place.copyMemory(from: divider.utf8Start, byteCount: divider.utf8CodeUnitCount)
        place += divider.utf8CodeUnitCount
        if let start = value.baseAddress { place.copyMemory(from: start, byteCount: value.count) }
        place += value.count
        place.storeBytes(of: UInt8(ascii: "\r"), as: UInt8.self)
        (place + 1).storeBytes(of: UInt8(ascii: "\n"), as: UInt8.self)
    }
}
