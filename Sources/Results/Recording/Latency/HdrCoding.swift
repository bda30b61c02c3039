import CZlib
import Foundation

/// HdrHistogram's V2 compressed encoding in base64 (`AbstractHistogram.encodeIntoCompressedByteBuffer`).
///
/// Cookie and length, then a zlib stream of a header and ZigZag LEB128 counts, negative for a run of zeros.
package enum HdrEncoding {
    package static let name = "HdrHistogram-V2-compressed-base64"

    static let payloadCookie: UInt32 = 0x1c84_9313
    static let compressedCookie: UInt32 = 0x1c84_9314

    package static func base64(_ histogram: some BucketedDurations) -> String {
        let compressed = deflated(payload(of: histogram))
        let frame = [compressedCookie, UInt32(clamping: compressed.count)].flatMap(bigEndian)
        return Data(frame + compressed).base64EncodedString()
    }

    private static func payload(of histogram: some BucketedDurations) -> [UInt8] {
        var counts: [UInt8] = []
        var next = 0
        histogram.forEachBucket { index, count in
            if index > next { appendZigZag(-Int64(index - next), to: &counts) }
            appendZigZag(Int64(clamping: count), to: &counts)
            next = index + 1
        }
        let form = [payloadCookie, UInt32(clamping: counts.count), 0, UInt32(clamping: histogram.digits.rawValue)]
        let range = [1, UInt64(HistogramLayout.highestMicroseconds), (1.0).bitPattern]
        return form.flatMap(bigEndian) + range.flatMap(bigEndian) + counts
    }

    private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }

    /// The ninth byte has a whole 8 bits, as HdrHistogram's `ZigZagEncoding` prescribes.
    private static func appendZigZag(_ value: Int64, to bytes: inout [UInt8]) {
        var rest = UInt64(bitPattern: (value << 1) ^ (value >> 63))
        for _ in 0..<8 {
            guard rest > 0x7f else { break }
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var length = compressBound(uLong(bytes.count))
        var output = [UInt8](repeating: 0, count: Int(length))
        // Only lack of memory can fail: the output has room for the bound.
        guard compress(&output, &length, bytes, uLong(bytes.count)) == Z_OK else { return [] }
        return Array(output.prefix(Int(length)))
    }
}

extension FormError {
    static func damaged(_ what: String) -> FormError { FormError("the histogram is damaged: \(what)") }

    static func contradiction(_ what: String) -> FormError {
        FormError("the histogram contradicts the figures beside it: \(what)")
    }
}

/// For untrusted files: every length, cookie and bound is checked, and no sum over counts can overflow.
enum HdrDecoding {
    struct Buckets {
        var digits: HistogramLayout
        var indices: [Int32] = []
        var counts: [UInt64] = []
        /// Possible sums of all durations.
        var sumBounds: ClosedRange<Int64> = 0...0
    }

    private static let headerBytes = 40
    /// Every bucket of the finest layout with the longest count.
    private static let largestPayload = headerBytes + HistogramLayout.three.bucketCount * 9
    /// Bound even if zlib saved nothing.
    private static let largestText = (largestPayload + largestPayload / 8 + 1_024) * 4 / 3

    static func buckets(base64 text: String) throws(FormError) -> Buckets {
        guard text.utf8.count <= largestText else { throw .damaged("too long") }
        guard let data = Data(base64Encoded: text) else { throw FormError("the histogram is not base64") }
        var frame = ByteReader([UInt8](data)[...])
        guard frame.integer(UInt32.self) == HdrEncoding.compressedCookie else { throw .damaged("no cookie") }
        guard let length = frame.integer(UInt32.self), Int(length) == frame.rest.count else { throw .damaged("length") }
        return try buckets(payload: inflated(frame.rest))
    }

    private static func inflated(_ bytes: ArraySlice<UInt8>) throws(FormError) -> [UInt8] {
        var isWhole = false
        // Memory that is not written costs nothing.
        let output = [UInt8](unsafeUninitializedCapacity: largestPayload) { buffer, count in
            var length = uLong(buffer.count)
            let status = bytes.withUnsafeBufferPointer {
                uncompress(buffer.baseAddress, &length, $0.baseAddress, uLong($0.count))
            }
            isWhole = status == Z_OK
            count = isWhole ? Int(length) : 0
        }
        guard isWhole else { throw .damaged("zlib") }
        return output
    }

    private static func buckets(payload: [UInt8]) throws(FormError) -> Buckets {
        var reader = ByteReader(payload[...])
        guard reader.integer(UInt32.self) == HdrEncoding.payloadCookie else { throw .damaged("no cookie inside") }
        guard let length = reader.integer(UInt32.self), let offset = reader.integer(UInt32.self),
            let digits = reader.integer(UInt32.self), let lowest = reader.integer(UInt64.self),
            let highest = reader.integer(UInt64.self), let ratio = reader.integer(UInt64.self)
        else { throw .damaged("header") }
        guard Int(length) == reader.rest.count else { throw .damaged("length inside") }
        guard offset == 0, lowest == 1, highest == UInt64(HistogramLayout.highestMicroseconds),
            ratio == (1.0).bitPattern, let digits = HistogramLayout(rawValue: Int(digits))
        else { throw FormError("the histogram has another range or precision than podswarm's") }
        return try counts(&reader, digits: digits)
    }

    private static func counts(_ numbers: inout ByteReader, digits: HistogramLayout) throws(FormError) -> Buckets {
        let end = digits.bucketCount
        var buckets = Buckets(digits: digits)
        // A bucket takes at least a byte, and gaps lie between most.
        buckets.indices.reserveCapacity(numbers.rest.count / 2)
        buckets.counts.reserveCapacity(numbers.rest.count / 2)
        var index = 0
        var (least, most): (UInt64, UInt64) = (0, 0)
        while !numbers.isAtEnd {
            guard let number = numbers.zigZag() else { throw .damaged("counts") }
            // Zero means one empty bucket.
            guard number > 0 else {
                guard number > -Int64(end), index + max(1, Int(-number)) < end else {
                    throw .damaged("too many buckets")
                }
                index += max(1, Int(-number))
                continue
            }
            guard index < end else { throw .damaged("too many buckets") }
            let values = digits.values(in: index)
            let (high, overflow) = UInt64(number).multipliedReportingOverflow(by: values.upperBound)
            guard !overflow, number < 1 << 48, high < 1 << 61, most < 1 << 61 else {
                throw .damaged("counts that no run can have")
            }
            (least, most) = (least + UInt64(number) &* values.lowerBound, most + high)
            buckets.indices.append(Int32(truncatingIfNeeded: index))
            buckets.counts.append(UInt64(number))
            index += 1
        }
        buckets.sumBounds = Int64(clamping: least)...Int64(clamping: most)
        return buckets
    }
}

private struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) { (self.bytes, position) = (bytes, bytes.startIndex) }

    var rest: ArraySlice<UInt8> { bytes[position...] }
    var isAtEnd: Bool { position == bytes.endIndex }

    mutating func integer<Number: FixedWidthInteger & UnsignedInteger>(_: Number.Type) -> Number? {
        let width = MemoryLayout<Number>.size
        guard bytes.endIndex - position >= width else { return nil }
        defer { position += width }
        return rest.prefix(width).reduce(0) { $0 << 8 | Number($1) }
    }

    @inline(__always)
    mutating func zigZag() -> Int64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.endIndex {
            let byte = bytes[position]
            position += 1
            value |= UInt64(shift == 56 ? byte : byte & 0x7f) << shift
            if byte & 0x80 == 0 || shift == 56 { return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }
            shift += 7
        }
        return nil
    }
}
