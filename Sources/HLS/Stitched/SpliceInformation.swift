/// The break that a splice_info_section begins or ends (ANSI/SCTE 35 sections 9.6, 9.7 and 10.3).
struct SpliceInformation {
    enum Meaning: Hashable {
        case out(duration: Duration?)
        case `in`
    }

    /// Nil when the section neither begins nor ends a break.
    private(set) var meaning: Meaning?

    /// Nil when the text is not base64 of a section, or the section is cut short.
    init?(base64 text: String) {
        guard let bytes = Base64.decode(text) else {
            return nil
        }
        var reader = Reader(bytes: bytes)
        // table_id, flags and length, protocol, encryption, pts_adjustment, cw_index, tier and command length.
        guard reader.number(bytes: 1) == 0xFC, reader.skip(bytes: 10), let lengths = reader.number(bytes: 2),
            let command = reader.number(bytes: 1)
        else {
            return nil
        }
        let commandStart = reader.position
        switch command {
        case 0x05: meaning = Self.spliceInsert(&reader)
        case 0x06:
            // The command's length may be unspecified, and a time_signal determines its own.
            let length = Int(lengths & 0xFFF)
            reader.position = commandStart
            if length == 0xFFF {
                reader.spliceTime()
            } else {
                reader.position += length
            }
            meaning = Self.segmentation(&reader)
        default: meaning = nil
        }
        guard !reader.isShort else {
            return nil
        }
    }

    private static func spliceInsert(_ reader: inout Reader) -> Meaning? {
        guard reader.skip(bytes: 4), let cancel = reader.number(bytes: 1), cancel & 0x80 == 0,
            let flags = reader.number(bytes: 1)
        else {
            return nil
        }
        let isImmediate = flags & 0x10 != 0
        if flags & 0x40 != 0 {
            if !isImmediate {
                reader.spliceTime()
            }
        } else {
            for _ in 0..<(reader.number(bytes: 1) ?? 0) where !reader.isShort {
                _ = reader.skip(bytes: 1)
                if !isImmediate {
                    reader.spliceTime()
                }
            }
        }
        guard flags & 0x80 != 0 else {
            return .in
        }
        let ticks = flags & 0x20 == 0 ? nil : reader.number(bytes: 5).map { $0 & 0x1_FFFF_FFFF }
        return .out(duration: duration(ticks: ticks))
    }

    /// The first segmentation descriptor that begins or ends a break or an ad.
    private static func segmentation(_ reader: inout Reader) -> Meaning? {
        guard let length = reader.number(bytes: 2) else {
            return nil
        }
        let end = reader.position + Int(length)
        while reader.position < end, let tag = reader.number(bytes: 1), let length = reader.number(bytes: 1) {
            let next = reader.position + Int(length)
            // segmentation_descriptor of owner "CUEI", not cancelled.
            if tag == 0x02, reader.number(bytes: 4) == 0x4355_4549, reader.skip(bytes: 4),
                let cancel = reader.number(bytes: 1), cancel & 0x80 == 0,
                let meaning = segment(&reader)
            {
                return meaning
            }
            reader.position = next
        }
        return nil
    }

    private static func segment(_ reader: inout Reader) -> Meaning? {
        guard let flags = reader.number(bytes: 1) else {
            return nil
        }
        if flags & 0x80 == 0 {
            _ = reader.skip(bytes: Int(reader.number(bytes: 1) ?? 0) * 6)
        }
        let ticks = flags & 0x40 == 0 ? nil : reader.number(bytes: 5)
        guard reader.skip(bytes: 1), let upidLength = reader.number(bytes: 1), reader.skip(bytes: Int(upidLength)),
            let type = reader.number(bytes: 1)
        else {
            return nil
        }
        // Break, provider and distributor advertisement, provider and distributor placement opportunity.
        switch type {
        case 0x22, 0x30, 0x32, 0x34, 0x36: return .out(duration: duration(ticks: ticks))
        case 0x23, 0x31, 0x33, 0x35, 0x37: return .in
        default: return nil
        }
    }

    /// Ticks of 90 kHz.
    private static func duration(ticks: UInt64?) -> Duration? {
        ticks.map { .microseconds(Int64(($0 * 100 + 4) / 9)) }
    }

    private struct Reader {
        let bytes: [UInt8]
        var position = 0
        private(set) var isShort = false

        /// A big-endian number; nil past the end.
        mutating func number(bytes count: Int) -> UInt64? {
            guard position >= 0, count <= bytes.count - position else {
                isShort = true
                return nil
            }
            let value = bytes[position..<(position + count)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            position += count
            return value
        }

        mutating func skip(bytes count: Int) -> Bool {
            guard count <= bytes.count - position else {
                isShort = true
                return false
            }
            position += count
            return true
        }

        /// splice_time(): five bytes with a specified time, one without.
        mutating func spliceTime() {
            if let first = number(bytes: 1), first & 0x80 != 0 {
                _ = skip(bytes: 4)
            }
        }
    }
}
