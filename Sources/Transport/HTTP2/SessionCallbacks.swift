import CNGHTTP2

/// nghttp2's callbacks; their user data is the session.
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
            // The stream is reset; the rest of its block is read, because the table must stay in step.
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
                stream.append(bytes, count)
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
            with(userData) { $0.saidGoodbye(frame.pointee.goaway.error_code) }
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

/// Calls the session of a callback; outside of the type, which a C function could not capture.
///
/// The caller of nghttp2 holds the session. Not counting it once more for each field of each answer saves a twentieth of a
/// poll's cost.
@inline(__always)
@discardableResult
private func with<Outcome>(_ userData: UnsafeMutableRawPointer?, _ body: (HTTP2Session) -> Outcome) -> Outcome? {
    userData.map { Unmanaged<HTTP2Session>.fromOpaque($0)._withUnsafeGuaranteedRef(body) }
}
