import CZlib
import Foundation

/// Why bytes are no distribution of podswarm's.
package enum HdrDecodingError: Error, Equatable, CustomStringConvertible, Sendable {
    case unknownEncoding(String)
    case notBase64
    case damaged(String)
    /// The histogram is whole and not of this layout: other digits, range or offset.
    case otherLayout
    /// The figures beside the histogram cannot be those of its buckets.
    case contradiction(String)

    package var description: String {
        switch self {
        case .unknownEncoding(let name): "the encoding '\(name)' is not \(HdrEncoding.name)"
        case .notBase64: "the histogram is not base64"
        case .damaged(let what): "the histogram is damaged: \(what)"
        case .otherLayout: "the histogram has another range or precision than podswarm's"
        case .contradiction(let what): "the histogram contradicts the figures beside it: \(what)"
        }
    }
}

/// Reads what `HdrEncoding` writes, from files that may hold anything.
///
/// Strict: every length, cookie and bound is checked, inflated bytes are bounded before they are made, and counts are
/// small enough that no sum over them overflows.
enum HdrDecoding {
    /// The buckets in use of one distribution.
    struct Buckets {
        var digits: SparseHistogram.Digits
        var indices: [Int32] = []
        var counts: [UInt64] = []
        /// What the sum of all durations in these buckets can be.
        var sumBounds: ClosedRange<Int64> = 0...0
    }

    private static let headerBytes = 40
    /// Every bucket of the finest layout with the longest spelling of a count.
    private static let largestPayload = headerBytes + HistogramLayout.threeDigits.bucketCount * 9
    /// More cannot come of a payload of that size, even where zlib saved nothing.
    private static let largestText = (largestPayload + largestPayload / 8 + 1_024) * 4 / 3

    static func buckets(base64 text: String) throws(HdrDecodingError) -> Buckets {
        guard text.utf8.count <= largestText else { throw .damaged("too long") }
        guard let data = Data(base64Encoded: text) else { throw .notBase64 }
        var frame = ByteReader([UInt8](data))
        guard frame.integer(UInt32.self) == HdrEncoding.compressedCookie else { throw .damaged("no cookie") }
        guard let length = frame.integer(UInt32.self), Int(length) == frame.rest.count else {
            throw .damaged("length")
        }
        return try buckets(payload: inflated(frame.rest))
    }

    private static func inflated(_ bytes: ArraySlice<UInt8>) throws(HdrDecodingError) -> [UInt8] {
        var isWhole = false
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

    private static func buckets(payload: [UInt8]) throws(HdrDecodingError) -> Buckets {
        var reader = ByteReader(payload)
        guard reader.integer(UInt32.self) == HdrEncoding.payloadCookie else { throw .damaged("no cookie inside") }
        guard let length = reader.integer(UInt32.self), let offset = reader.integer(UInt32.self),
            let digits = reader.integer(UInt32.self), let lowest = reader.integer(UInt64.self),
            let highest = reader.integer(UInt64.self), let ratio = reader.integer(UInt64.self)
        else { throw .damaged("header") }
        guard Int(length) == reader.rest.count else { throw .damaged("length inside") }
        guard offset == 0, lowest == 1, highest == UInt64(HistogramLayout.highestMicroseconds),
            ratio == (1.0).bitPattern, let digits = SparseHistogram.Digits(rawValue: Int(digits))
        else { throw .otherLayout }
        return try counts(&reader, digits: digits)
    }

    private static func counts(
        _ reader: inout ByteReader,
        digits: SparseHistogram.Digits
    ) throws(HdrDecodingError) -> Buckets {
        let layout = digits.layout
        let end = layout.bucketCount
        var buckets = Buckets(digits: digits)
        var index = 0
        var (least, most): (UInt64, UInt64) = (0, 0)
        while !reader.rest.isEmpty {
            guard let number = reader.zigZag() else { throw .damaged("counts") }
            // A negative number stands for so many empty buckets, zero for one.
            guard number > 0 else {
                guard number > -Int64(end), index + max(1, Int(-number)) < end else {
                    throw .damaged("too many buckets")
                }
                index += max(1, Int(-number))
                continue
            }
            guard index < end else { throw .damaged("too many buckets") }
            let (low, lowOverflow) = UInt64(number).multipliedReportingOverflow(by: layout.lowestValue(in: index))
            let (high, highOverflow) = UInt64(number).multipliedReportingOverflow(by: layout.highestValue(in: index))
            guard !lowOverflow, !highOverflow, number < 1 << 48, high < 1 << 61, most < 1 << 61 else {
                throw .damaged("counts that no run can have")
            }
            (least, most) = (least + low, most + high)
            buckets.indices.append(Int32(index))
            buckets.counts.append(UInt64(number))
            index += 1
        }
        buckets.sumBounds = Int64(clamping: least)...Int64(clamping: most)
        return buckets
    }
}

/// Takes big-endian numbers off the front of bytes.
private struct ByteReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    mutating func integer<Number: FixedWidthInteger & UnsignedInteger>(_: Number.Type) -> Number? {
        let width = MemoryLayout<Number>.size
        guard rest.count >= width else { return nil }
        defer { rest = rest.dropFirst(width) }
        return rest.prefix(width).reduce(0) { $0 << 8 | Number($1) }
    }

    /// One ZigZag LEB128 number; the ninth byte carries a whole 8 bits.
    mutating func zigZag() -> Int64? {
        var value: UInt64 = 0
        for number in 0..<9 {
            guard let byte = rest.popFirst() else { return nil }
            guard number < 8 else {
                value |= UInt64(byte) << 56
                break
            }
            value |= UInt64(byte & 0x7f) << UInt64(7 * number)
            if byte & 0x80 == 0 { break }
        }
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }
}
