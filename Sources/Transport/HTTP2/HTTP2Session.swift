import CNGHTTP2

/// A client's side of one HTTP/2 connection (RFC 9113), without its socket.
///
/// Confined to its loop; no member may be called from within another. nghttp2 refuses what the RFC does not allow.
package final class HTTP2Session {
    private static var nothing: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    /// For all answers on a connection.
    private static let connectionWindowBytes: Int32 = 4 << 20
    /// HPACK's dynamic table (RFC 7541 section 4.2).
    private static let headerTableBytes = 4096

    private let session: OpaquePointer
    private let maximumHeaderBytes: Int
    @exclusivity(unchecked) private var streams: ContiguousArray<HTTP2Stream> = []
    @exclusivity(unchecked) private var touched: ContiguousArray<HTTP2Stream> = []
    /// Stream of the block of fields being read.
    @exclusivity(unchecked) private var headed: Unmanaged<HTTP2Stream>?
    /// The server accepts no requests, or the client broke off.
    @exclusivity(unchecked) package private(set) var isClosing = false
    /// The server's, by RFC 9113 section 7; 0 for none.
    @exclusivity(unchecked) package private(set) var violation: UInt32 = 0

    /// nil when memory is short.
    package init?(_ engine: HTTP2Engine) {
        var made: OpaquePointer?
        maximumHeaderBytes = engine.maximumHeaderBytes
        guard nghttp2_session_client_new2(&made, engine.callbacks, nil, engine.options) == 0, let made else {
            return nil
        }
        session = made
        nghttp2_session_set_user_data(session, Unmanaged.passUnretained(self).toOpaque())
        let entries = [
            (NGHTTP2_SETTINGS_ENABLE_PUSH, 0),
            (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, engine.streamWindowBytes),
            (NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, Self.headerTableBytes),
            (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, maximumHeaderBytes),
        ].map { nghttp2_settings_entry(settings_id: Int32($0.0.rawValue), value: UInt32(clamping: $0.1)) }
        nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), entries, entries.count)
        nghttp2_session_set_local_window_size(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, Self.connectionWindowBytes)
    }

    deinit { nghttp2_session_del(session) }

    package var hasRoom: Bool {
        guard !isClosing, nghttp2_session_check_request_allowed(session) != 0 else { return false }
        let limit = nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
        return streams.count < min(Int(limit), Self.maximumStreams)
    }

    /// More than any viewer needs; also for a server that sets none.
    private static let maximumStreams = 100

    package var isOver: Bool { nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0 }

    /// The caller keeps `fields` until the output is written; `stream` must be unused; false where nghttp2 accepts no
    /// more.
    package func send(_ fields: RequestFields, body: [UInt8]?, on stream: HTTP2Stream) -> Bool {
        let id: Int32
        if let body, !body.isEmpty {
            stream.requestBody = body
            var provider = stream.provider()
            id = nghttp2_submit_request(session, nil, fields.start, fields.count, &provider, nil)
        } else {
            id = nghttp2_submit_request(session, nil, fields.start, fields.count, nil, nil)
        }
        guard id > 0 else { return false }
        stream.id = id
        streams.append(stream)
        return true
    }

    /// No answer comes afterwards.
    package func cancel(_ stream: HTTP2Stream) {
        guard let place = streams.firstIndex(where: { $0 === stream }) else { return }
        streams.remove(at: place)
        forgetHead(of: stream)
        nghttp2_submit_rst_stream(
            session,
            UInt8(NGHTTP2_FLAG_NONE.rawValue),
            stream.id,
            UInt32(NGHTTP2_CANCEL.rawValue)
        )
    }

    /// Open streams continue.
    package func close() { isClosing = true }

    /// Valid until the next call.
    package func output() -> UnsafeRawBufferPointer? {
        var bytes: UnsafePointer<UInt8>?
        let count = nghttp2_session_mem_send(session, &bytes)
        guard count > 0 else {
            if count < 0 { breakOff(UInt32(NGHTTP2_INTERNAL_ERROR.rawValue)) }
            return nil
        }
        return UnsafeRawBufferPointer(start: bytes, count: count)
    }

    /// `nextTouched` then returns the streams with news.
    package func receive(_ bytes: UnsafeRawBufferPointer) {
        let count = nghttp2_session_mem_recv(session, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
        guard count < 0 else { return }
        breakOff(UInt32(NGHTTP2_PROTOCOL_ERROR.rawValue))
        // nghttp2 reports a flood, but does not end the session for it.
        nghttp2_session_terminate_session(session, violation)
    }

    package var hasTouched: Bool { !touched.isEmpty }

    /// Next stream with new bytes or an end; nil without one.
    package func nextTouched() -> HTTP2Stream? {
        guard let stream = touched.popLast() else { return nil }
        stream.isTouched = false
        return stream
    }

    /// Ends the streams of a lost connection.
    package func lose() {
        isClosing = true
        for stream in streams {
            if stream.end == nil { stream.end = .connectionLost }
            touch(stream)
        }
        streams.removeAll()
        headed = nil
    }

    func breakOff(_ code: UInt32) {
        isClosing = true
        if violation == 0 { violation = code }
    }

    func stream(_ id: Int32) -> HTTP2Stream? {
        for stream in streams where stream.id == id { return stream }
        return nil
    }

    func touch(_ stream: HTTP2Stream) {
        guard !stream.isTouched else { return }
        stream.isTouched = true
        touched.append(stream)
    }

    /// Blocks do not interleave (RFC 9113 section 4.3).
    func beganHead(_ id: Int32) {
        guard let stream = stream(id) else {
            headed = nil
            return
        }
        stream.status = 0
        headed = Unmanaged.passUnretained(stream)
    }

    /// The rest of its block may still come.
    private func forgetHead(of stream: HTTP2Stream) {
        if headed?.toOpaque() == Unmanaged.passUnretained(stream).toOpaque() { headed = nil }
    }

    /// False where the answer has too many fields.
    func take(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
        headed?._withUnsafeGuaranteedRef { take(name, value, on: $0) } ?? true
    }

    private func take(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, on stream: HTTP2Stream) -> Bool {
        stream.headerBytes += name.count + value.count + 4
        stream.hasBegun = true
        guard stream.headerBytes <= maximumHeaderBytes else { return false }
        guard !stream.hasHead else { return true }
        if name.first == UInt8(ascii: ":") {
            // nghttp2 passes only :status, first and with three digits.
            stream.status = value.reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }
            stream.appendLine(Self.nothing, "HTTP/1.1 ", value)
        } else {
            stream.appendLine(name, ": ", value)
        }
        return true
    }

    func received(_ frame: UnsafePointer<nghttp2_frame>) {
        if frame.pointee.hd.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0,
            Int32(frame.pointee.hd.type) <= Int32(NGHTTP2_HEADERS.rawValue)
        {
            stream(frame.pointee.hd.stream_id)?.isWhole = true
        }
        switch Int32(frame.pointee.hd.type) {
        case Int32(NGHTTP2_HEADERS.rawValue):
            guard let stream = stream(frame.pointee.hd.stream_id), !stream.hasHead else { return }
            stream.appendLine(Self.nothing, "", Self.nothing)
            stream.hasHead = stream.status >= 200
            touch(stream)
        case Int32(NGHTTP2_GOAWAY.rawValue):
            isClosing = true
        default: break
        }
    }

    func closed(_ id: Int32, _ code: UInt32) {
        guard let place = streams.firstIndex(where: { $0.id == id }) else { return }
        let stream = streams.remove(at: place)
        forgetHead(of: stream)
        switch code {
        // Such a reset may also come in the middle of an answer.
        case UInt32(NGHTTP2_NO_ERROR.rawValue) where stream.isWhole: stream.end = .complete
        case UInt32(NGHTTP2_REFUSED_STREAM.rawValue): stream.end = .refused
        case UInt32(NGHTTP2_HTTP_1_1_REQUIRED.rawValue): stream.end = .wantsHTTP1
        default: stream.end = .reset(code: code)
        }
        touch(stream)
    }
}

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

    /// The reader has its own copy, which is counted; of thousands of open streams each keeps little.
    package func clearAnswer() {
        memory.removeAll()
        if memory.capacity > BodyBuffer.initialCapacity { dropMemory() }
    }

    private func dropMemory() {
        memory.deallocate()
        memory = BodyBuffer()
    }

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
        if !keepsMemory || memory.capacity > Self.keptCapacity { dropMemory() }
    }

    /// The source of the request's body.
    func provider() -> nghttp2_data_provider {
        var provider = nghttp2_data_provider()
        provider.source.ptr = Unmanaged.passUnretained(self).toOpaque()
        provider.read_callback = { _, _, buffer, capacity, flags, source, _ in
            guard let buffer, let flags, let pointer = source?.pointee.ptr else { return 0 }
            let stream = Unmanaged<HTTP2Stream>.fromOpaque(pointer).takeUnretainedValue()
            let count = min(capacity, stream.requestBody.count - stream.requestOffset)
            stream.requestBody.withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(start: buffer, count: count).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes[stream.requestOffset..<stream.requestOffset + count])
                )
            }
            stream.requestOffset += count
            if stream.requestOffset == stream.requestBody.count {
                flags.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue)
            }
            return count
        }
        return provider
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

/// Shared by all sessions of a loop; confined to it.
package final class HTTP2Engine {
    /// One answer's header lines, trailers and interim answers included.
    let maximumHeaderBytes: Int
    /// Bytes that a server may send before they are read (RFC 9113 section 6.9).
    let streamWindowBytes: Int
    let callbacks: OpaquePointer
    let options: OpaquePointer

    private static let maximumContinuations = 128

    /// nil when memory is short.
    package init?(maximumHeaderBytes: Int = 64 << 10, streamWindowBytes: Int = 1 << 20) {
        var callbacks: OpaquePointer?
        var options: OpaquePointer?
        guard nghttp2_session_callbacks_new(&callbacks) == 0, let callbacks else { return nil }
        guard nghttp2_option_new(&options) == 0, let options else {
            nghttp2_session_callbacks_del(callbacks)
            return nil
        }
        (self.maximumHeaderBytes, self.streamWindowBytes) = (maximumHeaderBytes, streamWindowBytes)
        (self.callbacks, self.options) = (callbacks, options)
        // Without priorities an ended stream has no use.
        nghttp2_option_set_no_closed_streams(options, 1)
        nghttp2_option_set_max_reserved_remote_streams(options, 0)
        // nghttp2 counts reads of a CONTINUATION's head, which may come byte by byte: its default of 8 is less than one frame.
        nghttp2_option_set_max_continuations(options, Self.maximumContinuations)
        Self.install(in: callbacks)
    }

    deinit {
        nghttp2_option_del(options)
        nghttp2_session_callbacks_del(callbacks)
    }

    /// Their user data is the session.
    private static func install(in callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, userData in
            guard let frame else { return 0 }
            with(userData) { $0.beganHead(frame.pointee.hd.stream_id) }
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _,
            _,
            name,
            nameCount,
            value,
            valueCount,
            _,
            userData in
            guard let name else { return 0 }
            let isTaken = with(userData) {
                $0.take(
                    UnsafeRawBufferPointer(start: name, count: nameCount),
                    UnsafeRawBufferPointer(start: value, count: valueCount)
                )
            }
            // The rest of the block is read, so that the table stays in step.
            return isTaken != false ? 0 : Int32(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, userData in
            guard let frame else { return 0 }
            with(userData) { $0.received(frame) }
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, id, bytes, count, userData in
            with(userData) { session in
                guard let stream = session.stream(id) else { return }
                stream.append(UnsafeRawBufferPointer(start: bytes, count: count))
                session.touch(stream)
            }
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, id, code, userData in
            with(userData) { $0.closed(id, code) }
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, userData in
            guard let frame, Int32(frame.pointee.hd.type) == Int32(NGHTTP2_GOAWAY.rawValue) else { return 0 }
            with(userData) { $0.breakOff(frame.pointee.goaway.error_code) }
            return 0
        }
    }
}

/// Outside of the type, which a C function could not capture.
///
/// nghttp2's caller holds the session: not counting it for each field saves a twentieth of a poll.
@inline(__always)
@discardableResult
private func with<Outcome>(_ userData: UnsafeMutableRawPointer?, _ body: (HTTP2Session) -> Outcome) -> Outcome? {
    userData.map { Unmanaged<HTTP2Session>.fromOpaque($0)._withUnsafeGuaranteedRef(body) }
}

/// Must not be changed or released before its requests are written.
package final class RequestFields {
    private let text: UnsafeMutablePointer<UInt8>
    private let fields: UnsafeMutableBufferPointer<nghttp2_nv>

    /// Fields with a colon come first; those that HTTP/2 does not allow are left out (RFC 9113 section 8.2.2).
    package init(_ list: [(name: String, value: String)]) {
        let kept = list.map { (name: Array($0.name.lowercased().utf8), value: Array($0.value.utf8)) }
            .filter { !Self.ofConnections.contains($0.name) }
        let bytes = kept.flatMap { $0.name + $0.value }
        text = .allocate(capacity: max(1, bytes.count))
        text.initialize(from: bytes, count: bytes.count)
        fields = .allocate(capacity: kept.count)
        var next = text
        for (index, field) in kept.enumerated() {
            var flags = NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue
            // Never kept in a table (RFC 7541 section 7.1.3).
            if Self.secrets.contains(field.name) { flags |= NGHTTP2_NV_FLAG_NO_INDEX.rawValue }
            fields.initializeElement(
                at: index,
                to: nghttp2_nv(
                    name: next,
                    value: next + field.name.count,
                    namelen: field.name.count,
                    valuelen: field.value.count,
                    flags: UInt8(truncatingIfNeeded: flags)
                )
            )
            next += field.name.count + field.value.count
        }
    }

    deinit {
        fields.deallocate()
        text.deallocate()
    }

    var count: Int { fields.count }
    var start: UnsafePointer<nghttp2_nv>? { UnsafePointer(fields.baseAddress) }

    private static let ofConnections = Set(
        ["connection", "host", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade"].map {
            Array($0.utf8)
        }
    )
    private static let secrets = Set(["authorization", "cookie", "proxy-authorization"].map { Array($0.utf8) })
}
