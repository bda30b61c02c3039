/// Compares bodies that differ only by the session that asked for them.
package enum MaskedBody {
    /// A hash of the body with every spelling of the viewer's own stream id masked, and another viewer's id if one is there.
    ///
    /// `foreign` is the first stream id that is not `own`, decoded: a secret, to be redacted before it leaves the
    /// process. It is looked for in `stream_id=` values, and in `/stream/{id}` path pieces of the own id's shape.
    /// Ids found there are masked whoever's they are: a leak is one finding, and makes no second one out of the hash.
    package static func fingerprint(
        _ body: UnsafeRawBufferPointer,
        own: StreamID
    ) -> (hash: UInt64, foreign: String?) {
        var scanner = MaskedBodyScanner(body: body, own: own)
        return scanner.scan()
    }

    /// Whether the body names any stream session by `stream_id=`.
    ///
    /// Quick where it does not.
    package static func namesSession(_ body: UnsafeRawBufferPointer) -> Bool {
        var scanner = MaskedBodyScanner(body: body, own: StreamID(""))
        return scanner.hasParameter && scanner.scan().foreign != nil
    }
}
