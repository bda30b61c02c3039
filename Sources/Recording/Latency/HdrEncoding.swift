import CZlib
import Foundation

/// HdrHistogram's V2 compressed encoding in base64, readable by every port of HdrHistogram.
///
/// Layout (HdrHistogram `AbstractHistogram.encodeIntoCompressedByteBuffer`): cookie and length, then a zlib stream of a 40-byte
/// header and the counts as ZigZag LEB128, where a negative number stands for a run of zeros.
package enum HdrEncoding {
    package static let name = "HdrHistogram-V2-compressed-base64"

    static let payloadCookie: UInt32 = 0x1c84_9313
    static let compressedCookie: UInt32 = 0x1c84_9314

    package static func base64(_ histogram: some BucketedDurations) -> String {
        let compressed = deflated(payload(of: histogram))
        var frame: [UInt8] = []
        append(compressedCookie, to: &frame)
        append(UInt32(clamping: compressed.count), to: &frame)
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
        var payload: [UInt8] = []
        append(payloadCookie, to: &payload)
        append(UInt32(clamping: counts.count), to: &payload)
        append(UInt32(0), to: &payload)
        append(UInt32(clamping: histogram.layout.significantDigits), to: &payload)
        append(UInt64(1), to: &payload)
        append(UInt64(HistogramLayout.highestMicroseconds), to: &payload)
        append((1.0).bitPattern, to: &payload)
        return payload + counts
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
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
        // The only remaining failure is lack of memory, because the output has room for the bound.
        guard compress(&output, &length, bytes, uLong(bytes.count)) == Z_OK else { return [] }
        return Array(output.prefix(Int(length)))
    }
}
