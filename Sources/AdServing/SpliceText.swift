import Foundation
import Values

package enum SpliceText {
    /// Bytes: a section has at most 4,093 bytes after its length (ANSI/SCTE 35 section 9.6).
    private static let longestSection = 4_096

    /// Converts a date range's hexadecimal attribute (bis-22 section 4.2), with `0x`, into the base64 of pod requests; nil
    /// unless it is a section's.
    package static func base64(hexadecimal text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count > 2, bytes.count.isMultiple(of: 2), bytes.count <= 2 * longestSection + 2,
            bytes[0] == UInt8(ascii: "0"), bytes[1] | 0x20 == UInt8(ascii: "x")
        else { return nil }
        var section = Data(capacity: bytes.count / 2)
        for index in stride(from: 2, to: bytes.count, by: 2) {
            guard let high = bytes[index].hexadecimalDigit, let low = bytes[index + 1].hexadecimalDigit else {
                return nil
            }
            section.append(high << 4 | low)
        }
        return section.base64EncodedString()
    }
}
