import CZlib
import Foundation

/// Gzip format (RFC 1952), whole bodies at once.
enum Gzip {
    /// Nil if zlib fails; the body is then served uncompressed.
    static func compress(_ body: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        // 15 bits of window, and 16 for a gzip header in place of zlib's.
        let opened = deflateInit2_(
            &stream,
            6,
            Z_DEFLATED,
            15 + 16,
            8,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size)
        )
        guard opened == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(body.count)))
        var source = body
        var result = Z_OK
        let output = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            source.withUnsafeMutableBufferPointer { source in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(clamping: source.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(clamping: output.count)
                result = deflate(&stream, Z_FINISH)
            }
            count = Int(clamping: stream.total_out)
        }
        return result == Z_STREAM_END ? output : nil
    }
}

enum Base64 {
    static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
