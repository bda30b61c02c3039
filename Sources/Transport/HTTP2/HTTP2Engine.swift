import CNGHTTP2

package struct HTTP2Settings: Sendable {
    /// Bytes of one answer that a server may send before they are read (RFC 9113 section 6.9).
    package var streamWindowBytes = 1 << 20
    /// Limit as above for all answers on a connection.
    package var connectionWindowBytes = 4 << 20
    /// Bytes of header fields that a server may refer to (RFC 7541 section 4.2).
    package var headerTableBytes = 4096
    /// Sum of the header lines of one answer, trailers and interim answers included.
    package var maximumHeaderBytes = 64 << 10

    package init() {}
}

/// nghttp2's callbacks and options, shared by all sessions of a loop; confined to its loop.
package final class HTTP2Engine {
    let settings: HTTP2Settings
    let callbacks: OpaquePointer
    let options: OpaquePointer

    private static let maximumContinuations = 128

    /// nil when memory is short.
    package init?(_ settings: HTTP2Settings) {
        var callbacks: OpaquePointer?
        var options: OpaquePointer?
        guard nghttp2_session_callbacks_new(&callbacks) == 0, let callbacks else { return nil }
        guard nghttp2_option_new(&options) == 0, let options else {
            nghttp2_session_callbacks_del(callbacks)
            return nil
        }
        self.settings = settings
        self.callbacks = callbacks
        self.options = options
        // A client without priorities has no use for an ended stream.
        nghttp2_option_set_no_closed_streams(options, 1)
        nghttp2_option_set_max_reserved_remote_streams(options, 0)
        // nghttp2 counts reads of a CONTINUATION's head, which may come byte by byte; its default of 8 would be less than one
        // frame.
        nghttp2_option_set_max_continuations(options, Self.maximumContinuations)
        SessionCallbacks.install(in: callbacks)
    }

    deinit {
        nghttp2_option_del(options)
        nghttp2_session_callbacks_del(callbacks)
    }
}
