/// Hands on the answer in the bytes that HTTP/1.1 would have, so that one reader parses both.
///
/// Confined to its session's loop; accesses are not checked for exclusivity: each answer would pay for a hundred
/// checks.
package final class HTTP2Stream {
    package enum End: Equatable, Sendable {
        case complete
        /// Not processed by the server (RFC 9113 section 8.7).
        case refused
        /// HTTP_1_1_REQUIRED (RFC 9113 section 7): the request must go over HTTP/1.1.
        case wantsHTTP1
        /// Either side's code of RFC 9113 section 7.
        case reset(code: UInt32)
        case connectionLost
    }

    /// 0 while unused.
    @exclusivity(unchecked) package internal(set) var id: Int32 = 0
    @exclusivity(unchecked) package internal(set) var end: End?
    @exclusivity(unchecked) package internal(set) var hasBegun = false
    @exclusivity(unchecked) var isTouched = false
    /// Later fields are trailers.
    @exclusivity(unchecked) var hasHead = false
    @exclusivity(unchecked) var isWhole = false
    /// Status of the head being read.
    @exclusivity(unchecked) var status = 0
    /// Trailers included.
    @exclusivity(unchecked) var headerBytes = 0
    @exclusivity(unchecked) var requestBody: [UInt8] = []
    @exclusivity(unchecked) var requestOffset = 0
    /// Allocated with the first bytes: in a burst thousands wait for them.
    @exclusivity(unchecked) private var memory = BodyBuffer()

    private static let keptCapacity = 64 << 10

    package init() {}

    deinit { memory.deallocate() }

    /// Valid until the next call of any member or of the session.
    package var answer: UnsafeRawBufferPointer { memory.bytes }

    package func clearAnswer() { memory.removeAll() }

    /// Prepares for another request; `keepsMemory` keeps the buffer.
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

    func append(_ bytes: UnsafeRawBufferPointer) { memory.append(bytes) }

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
