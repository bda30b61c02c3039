import Values

/// SCTE 35 splice_insert at a break's start or end, as in EXT-X-DATERANGE (bis-22 4.4.5.1).
struct SpliceInsert: Sendable, Equatable {
    /// Low bits of the break's ordinal.
    let eventID: UInt32
    /// On a 90 kHz clock, 33 bits.
    let presentationTime: UInt64
    /// On a 90 kHz clock, 33 bits.
    let duration: UInt64
    /// Whether it leaves the network's programme or returns to it.
    var isOut = true

    /// The whole splice_info_section with its CRC (SCTE 35 9.6 and 9.7.3).
    var bytes: [UInt8] {
        var command: [UInt8] = []
        Self.append(UInt64(eventID), bytes: 4, to: &command)
        // Not cancelled; out of network or not, whole program, with duration, not immediate; reserved bits are ones.
        command += [0x7F, isOut ? 0b1110_1111 : 0b0110_1111]
        // time_specified_flag, six reserved bits, 33 bits of time.
        Self.append(0xFE_0000_0000 | presentationTime & 0x1_FFFF_FFFF, bytes: 5, to: &command)
        // auto_return, six reserved bits, 33 bits of duration.
        Self.append(0xFE_0000_0000 | duration & 0x1_FFFF_FFFF, bytes: 5, to: &command)
        // unique_program_id, avail_num, avails_expected.
        command += [0, 1, 0, 0]

        // protocol_version, encryption and pts_adjustment, cw_index, tier 0xFFF and the command length, splice_insert.
        var rest: [UInt8] = [0, 0, 0, 0, 0, 0, 0]
        Self.append(0xFFF << 12 | UInt64(command.count), bytes: 3, to: &rest)
        rest.append(5)
        rest += command
        rest += [0, 0]
        var section: [UInt8] = [0xFC]
        Self.append(0x3000 | UInt64(rest.count + 4), bytes: 2, to: &section)
        section += rest
        Self.append(UInt64(Self.checksum(section)), bytes: 4, to: &section)
        return section
    }

    var hexadecimal: String {
        "0x" + bytes.map { String($0, radix: 16, uppercase: true).leftPadded(to: 2) }.joined()
    }

    /// CRC-32/MPEG-2: 0 for a section that ends in its own checksum.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.reduce(0xFFFF_FFFF) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte) << 24) { crc, _ in
                crc & 0x8000_0000 == 0 ? crc << 1 : crc << 1 ^ 0x04C1_1DB7
            }
        }
    }

    private static func append(_ value: UInt64, bytes count: Int, to bytes: inout [UInt8]) {
        for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - place)))) }
    }
}
