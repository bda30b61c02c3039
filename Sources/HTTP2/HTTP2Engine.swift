import CNGHTTP2

/// What a client tells its servers of itself, and how much of them it bears.
package struct HTTP2Settings: Sendable {
    /// What a server may send of one answer before it was read, in bytes (RFC 9113 section 6.9).
    package var streamWindowBytes = 1 << 20
    /// The same of all answers on a connection.
    package var connectionWindowBytes = 4 << 20
    /// Memory for header fields that a server may refer to (RFC 7541 section 4.2), in bytes.
    package var headerTableBytes = 4096
    /// Greatest sum of the header lines of one answer, trailers and interim answers included, in bytes.
    package var maximumHeaderBytes = 64 << 10

    package init() {}
}

/// What all sessions of a loop share: nghttp2's callbacks and options.
///
/// Confined to its loop.
package final class HTTP2Engine {
    let settings: HTTP2Settings
    let callbacks: OpaquePointer
    let options: OpaquePointer

    private static let maximumContinuations = 128

    /// Nil when memory is short.
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
        // A stream that has ended is of no use to a client without priorities.
        nghttp2_option_set_no_closed_streams(options, 1)
        nghttp2_option_set_max_reserved_remote_streams(options, 0)
        // nghttp2 counts reads of a CONTINUATION's head, which may come byte by byte; its 8 would be less than one frame.
        nghttp2_option_set_max_continuations(options, Self.maximumContinuations)
        SessionCallbacks.install(in: callbacks)
    }

    deinit {
        nghttp2_option_del(options)
        nghttp2_session_callbacks_del(callbacks)
    }
}
