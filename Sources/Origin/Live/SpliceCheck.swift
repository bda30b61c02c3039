import AdServing
import Foundation
import HTTPTypes

/// Whether the splice of a pod request can be read, and what the answer warns of where it cannot.
///
/// That a break is made all the same, and warned of in a header, is assumed of Ad Manager.
enum SpliceCheck {
    /// Bytes of a section without commands and descriptors, its CRC included (ANSI/SCTE 35 section 9.6).
    private static let shortestSection = 17
    private static let tableID: UInt8 = 0xFC

    /// What is wrong with a splice, in a sentence; nil where there is none, and for one that can be read.
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
        // The length counts what follows it.
        guard Int(section[1] & 0x0F) << 8 | Int(section[2]) == section.count - 3 else {
            return "its section_length is wrong"
        }
        return SpliceInsert.checksum(section) == 0 ? nil : "its CRC_32 is wrong"
    }
}

extension HTTPField.Name {
    /// What a pod request's answer warns of.
    static let adManagerWarning = HTTPField.Name(WireName.warningHeader) ?? .via
}
