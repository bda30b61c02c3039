import CNGHTTP2

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
        self.maximumHeaderBytes = maximumHeaderBytes
        self.streamWindowBytes = streamWindowBytes
        self.callbacks = callbacks
        self.options = options
        // Without priorities an ended stream has no use.
        nghttp2_option_set_no_closed_streams(options, 1)
        nghttp2_option_set_max_reserved_remote_streams(options, 0)
        // nghttp2 counts reads of a CONTINUATION's head, which may come byte by byte: its default of 8 is less than one frame.
        nghttp2_option_set_max_continuations(options, Self.maximumContinuations)
        SessionCallbacks.install(in: callbacks)
    }

    deinit {
        nghttp2_option_del(options)
        nghttp2_session_callbacks_del(callbacks)
    }
}

/// The callbacks' user data is the session.
enum SessionCallbacks {
    static func install(in callbacks: OpaquePointer) {
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

    static func provider(of stream: HTTP2Stream) -> nghttp2_data_provider {
        var provider = nghttp2_data_provider()
        provider.source.ptr = Unmanaged.passUnretained(stream).toOpaque()
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
}

/// Outside of the type, which a C function could not capture.
///
/// nghttp2's caller holds the session: not counting it for each field saves a twentieth of a poll.
@inline(__always)
@discardableResult
private func with<Outcome>(_ userData: UnsafeMutableRawPointer?, _ body: (HTTP2Session) -> Outcome) -> Outcome? {
    userData.map { Unmanaged<HTTP2Session>.fromOpaque($0)._withUnsafeGuaranteedRef(body) }
}
