import AdServing
import Foundation
import HTTPTypes

/// Check of the splice in a pod request.
///
/// That the break is created even with an invalid one, and the answer has a warning header, is an assumption about Ad Manager.
enum SpliceCheck {
    /// Bytes of a section without commands and descriptors, including its CRC (ANSI/SCTE 35 section 9.6).
    private static let shortestSection = 17
    private static let tableID: UInt8 = 0xFC

    /// Sentence about an invalid splice; nil for a valid one or none.
    static func warning(of splice: String?) -> String? {
        guard let splice, let mistake = mistake(in: splice) else { return nil }
        return "The SCTE 35 signal of the request cannot be read: \(mistake)."
    }

    private static func mistake(in text: String) -> String? {
        let hexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X") ? text : "0x" + text
        let base64 = SpliceText.base64(hexadecimal: hexadecimal) ?? text
        guard let section = Data(base64Encoded: base64).map(Array.init) else {
            return "it is neither base64 nor hexadecimal"
        }
        guard section.first == tableID, section.count >= shortestSection else { return "it is no splice_info_section" }
        guard Int(section[1] & 0x0F) << 8 | Int(section[2]) == section.count - 3 else {
            return "its section_length is wrong"
        }
        return SpliceInsert.checksum(section) == 0 ? nil : "its CRC_32 is wrong"
    }
}

extension HTTPField.Name {
    static let adManagerWarning = HTTPField.Name(WireName.warningHeader) ?? .via
}
