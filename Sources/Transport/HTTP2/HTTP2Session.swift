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
            var provider = SessionCallbacks.provider(of: stream)
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
}

// MARK: - Calls from nghttp2

extension HTTP2Session {
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
