import CZlib
import HTTPTypes
import NIOCore
import Synchronization
import Values

/// The body is shared, never copied.
struct Answer: Sendable {
    var status: HTTPResponse.Status
    /// Without Date, which is added on writing.
    var fields: HTTPFields
    var body: ByteBuffer

    init(status: HTTPResponse.Status, fields: HTTPFields = HTTPFields(), body: ByteBuffer = ByteBuffer()) {
        (self.status, self.fields, self.body) = (status, fields, body)
        self.fields[.contentLength] = String(body.readableBytes)
    }

    init(status: HTTPResponse.Status = .ok, contentType: ContentType, caching: Caching, body: some Sequence<UInt8>) {
        let fields: HTTPFields = [.contentType: contentType.rawValue, .cacheControl: caching.field]
        self.init(status: status, fields: fields, body: ByteBuffer(bytes: body))
    }

    static func empty(_ status: HTTPResponse.Status, caching: Caching = .none) -> Answer {
        Answer(status: status, fields: [.cacheControl: caching.field])
    }

    static func redirect(to location: String) -> Answer {
        Answer(status: .found, fields: [.cacheControl: Caching.none.field, .location: location])
    }
}

enum ContentType: String {
    /// RFC 8216 section 4.
    case playlist = "application/vnd.apple.mpegurl"
    case video = "video/mp4"
    case subtitles = "text/vtt"
    case json = "application/json"
    case web = "text/html; charset=utf-8"
    case plain = "text/plain; charset=utf-8"
}

enum Caching {
    case none
    case seconds(Int)
    case immutable

    /// The Cache-Control field (RFC 9111 5.2.2, RFC 8246).
    var field: String {
        switch self {
        case .none: "no-store"
        case .seconds(let seconds): "max-age=\(seconds)"
        case .immutable: "max-age=3600, immutable"
        }
    }
}

/// Made once, not per request.
struct NegotiatedAnswer: Sendable {
    private var plain: Answer
    private var compressed: Answer

    init(contentType: ContentType, caching: Caching, body: [UInt8]) {
        plain = Answer(contentType: contentType, caching: caching, body: body)
        plain.fields[.vary] = "accept-encoding"
        compressed = plain
        guard let bytes = Gzip.compress(body) else { return }
        compressed = Answer(contentType: contentType, caching: caching, body: bytes)
        compressed.fields[.vary] = "accept-encoding"
        compressed.fields[.contentEncoding] = "gzip"
    }

    func kept(_ caching: Caching) -> NegotiatedAnswer {
        var kept = self
        kept.plain.fields[.cacheControl] = caching.field
        kept.compressed.fields[.cacheControl] = caching.field
        return kept
    }

    func answer(gzip: Bool) -> Answer { gzip ? compressed : plain }
}

extension Answer {
    /// `gzip` tells whether the client accepts compressed bodies.
    func misframed(as framing: FaultEffects.Framing, gzip: Bool) -> Answer {
        var answer = self
        let count = body.readableBytes
        switch framing {
        case .cutCoding where gzip:
            var bytes = Array(body.readableBytesView)
            if fields[.contentEncoding] == nil { bytes = Gzip.compress(bytes) ?? bytes }
            bytes.removeLast(bytes.count - bytes.count * 2 / 3)
            answer = Answer(status: status, fields: fields, body: ByteBuffer(bytes: bytes))
            answer.fields[.contentEncoding] = "gzip"
        case .twoLengths: answer.fields[values: .contentLength] = [String(count + 1), String(count)]
        case .lengthAndChunks: answer.fields[.transferEncoding] = "chunked"
        case .silentClose:
            answer.fields[.contentLength] = nil
            answer.fields[.connection] = "close"
        case .part where status == .ok:
            answer.status = .partialContent
            answer.fields[.contentRange] = "bytes 0-\(max(0, count - 1))/\(count)"
        case .own, .cutCoding, .part: break
        }
        return answer
    }
}

/// RFC 1952.
enum Gzip {
    /// Nil if zlib fails; the body is then served plain.
    static func compress(_ body: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        // 15 bits of window, and 16 for a gzip header.
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

/// The IMF-fixdate of RFC 9110 5.6.7.
enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    static func text(epochSeconds: Int64) -> String {
        let seconds = max(0, epochSeconds)
        let (day, time) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let date = CalendarDate(daysSinceEpoch: day)
        return
            "\(days[Int(day % 7)]), \(two(date.day)) \(months[Int(date.month) - 1]) \(String(date.year).leftPadded(to: 4)) "
            + "\(two(time / 3_600)):\(two(time / 60 % 60)):\(two(time % 60)) GMT"
    }

    private static func two(_ value: Int64) -> String { String(value).leftPadded(to: 2) }
}

/// Beyond the limit all values are dropped.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int
    private let values = Mutex<[Key: Value]>([:])

    init(limit: Int) { self.limit = limit }

    func value(_ key: Key, make: () -> Value) -> Value {
        values.withLock { values in
            if let known = values[key] { return known }
            let fresh = make()
            if values.count >= limit { values.removeAll(keepingCapacity: true) }
            values[key] = fresh
            return fresh
        }
    }
}
