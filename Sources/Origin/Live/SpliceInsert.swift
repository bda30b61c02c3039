import AdServing
import Foundation
import HLS
import HTTPTypes
import Values

/// As in EXT-X-DATERANGE (bis-22 4.4.5.1).
struct SpliceInsert: Sendable, Equatable {
    /// Low bits of the break's ordinal.
    let eventID: UInt32
    /// On a 90 kHz clock, 33 bits.
    let presentationTime: UInt64
    /// As above.
    let duration: UInt64
    var isOut = true

    /// The splice_info_section with its CRC (SCTE 35 9.6 and 9.7.3).
    var bytes: [UInt8] {
        var command = eventID.bigEndianBytes
        // Not cancelled; out of network or not, whole program, with duration, not immediate; reserved bits are ones.
        command += [0x7F, isOut ? 0b1110_1111 : 0b0110_1111]
        // time_specified_flag, six reserved bits, 33 bits of time.
        command += (0xFE_0000_0000 | presentationTime & 0x1_FFFF_FFFF).bigEndianBytes.suffix(5)
        // auto_return, six reserved bits, 33 bits of duration.
        command += (0xFE_0000_0000 | duration & 0x1_FFFF_FFFF).bigEndianBytes.suffix(5)
        // unique_program_id, avail_num, avails_expected.
        command += [0, 1, 0, 0]

        // protocol_version, encryption and pts_adjustment, cw_index, tier 0xFFF and the command length, splice_insert.
        var rest: [UInt8] = [0, 0, 0, 0, 0, 0, 0]
        rest += (0xFFF << 12 | UInt32(command.count)).bigEndianBytes.suffix(3)
        rest.append(5)
        rest += command
        rest += [0, 0]
        let section = [0xFC] + (0x3000 | UInt16(rest.count + 4)).bigEndianBytes + rest
        return section + section.withUnsafeBytes(SpliceSection.checksum).bigEndianBytes
    }

    var base64: String { Data(bytes).base64EncodedString() }

    var hexadecimal: String { "0x" + Digest.hexadecimal(bytes).uppercased() }
}

extension SpliceInsert {
    /// Times count from the channel's zero.
    init(ofBreak ordinal: Int, at instant: WallTime, lasting length: Duration, isOut: Bool = true) {
        let elapsed = instant.microseconds &- ChannelTimeline.zeroSeconds &* 1_000_000
        self.init(
            eventID: UInt32(truncatingIfNeeded: ordinal),
            presentationTime: UInt64(clamping: elapsed) / 100 &* 9,
            duration: UInt64(clamping: length.wholeMicroseconds) / 100 &* 9,
            isOut: isOut
        )
    }
}

/// That Ad Manager creates the break in spite of an invalid splice, and adds a warning header, is an assumption.
enum SpliceCheck {
    /// Bytes of a section without commands and descriptors, with its CRC (ANSI/SCTE 35 section 9.6).
    private static let shortestSection = 17
    private static let tableID: UInt8 = 0xFC

    /// Nil for a valid splice or none.
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
        guard section.first == tableID, section.count >= shortestSection else {
            return "it is not a splice_info_section"
        }
        guard Int(section[1] & 0x0F) << 8 | Int(section[2]) == section.count - 3 else {
            return "its section_length is wrong"
        }
        return section.withUnsafeBytes(SpliceSection.checksum) == 0 ? nil : "its CRC_32 is wrong"
    }
}

extension HTTPField.Name {
    static let adManagerWarning = HTTPField.Name(WireName.warningHeader) ?? .via
}
