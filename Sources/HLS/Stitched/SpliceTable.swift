/// Names of ANSI/SCTE 35 2023: commands (table 7), descriptors (table 16), UPIDs (table 22), segmentation (table 23).
package enum SpliceTable {
    /// The side of a break that a segmentation marks.
    package enum Edge: Hashable, Sendable { case out, `in` }

    package static func command(_ type: UInt8) -> String {
        commands[type] ?? "a reserved command 0x\(type.hexadecimal(digits: 2))"
    }

    package static func descriptor(_ tag: UInt8) -> String {
        descriptors[tag] ?? "a private descriptor 0x\(tag.hexadecimal(digits: 2))"
    }

    package static func upid(_ type: UInt8) -> String { upids[type] ?? "UPID 0x\(type.hexadecimal(digits: 2))" }

    /// Nil for a reserved segmentation_type_id.
    package static func segmentation(_ type: UInt8) -> (name: String, edge: Edge?)? {
        if let name = single[type] { return (name, nil) }
        guard let pair = pairs[type & 0xFE] else { return nil }
        let isEnd = type & 1 == 1
        return ("\(pair.name) \(isEnd ? "end" : "start")", pair.level > 0 ? (isEnd ? .in : .out) : nil)
    }

    package static func edge(of type: UInt8) -> (side: Edge, level: Int)? {
        guard single[type] == nil, let pair = pairs[type & 0xFE], pair.level > 0 else { return nil }
        return (type & 1 == 1 ? .in : .out, pair.level)
    }

    private static let commands: [UInt8: String] = [
        0x00: "splice_null", 0x04: "splice_schedule", 0x05: "splice_insert", 0x06: "time_signal",
        0x07: "bandwidth_reservation", 0xFF: "private_command",
    ]
    private static let descriptors: [UInt8: String] = [
        0x00: "avail_descriptor", 0x01: "DTMF_descriptor", 0x02: "segmentation_descriptor", 0x03: "time_descriptor",
        0x04: "audio_descriptor",
    ]
    private static let upids: [UInt8: String] = [
        0x01: "user defined", 0x02: "ISCI", 0x03: "Ad-ID", 0x04: "UMID", 0x05: "ISAN (deprecated)", 0x06: "ISAN",
        0x07: "TID", 0x08: "AiringID", 0x09: "ADI", 0x0A: "EIDR", 0x0B: "ATSC content identifier", 0x0C: "MPU()",
        0x0D: "MID()", 0x0E: "ADS information", 0x0F: "URI", 0x10: "UUID", 0x11: "SCR",
    ]
    private static let single: [UInt8: String] = [
        0x00: "not indicated", 0x01: "content identification", 0x02: "private", 0x10: "program start",
        0x11: "program end", 0x12: "program early termination", 0x13: "program breakaway", 0x14: "program resumption",
        0x15: "program runover planned", 0x16: "program runover unplanned", 0x17: "program overlap start",
        0x18: "program blackout override", 0x19: "program join", 0x1A: "program immediate resumption",
    ]
    /// Keyed by the even number of the start; level 3 for breaks, 2 for what lies in them, 1 for ads, 0 for what begins no
    /// break.
    private static let pairs: [UInt8: (name: String, level: Int)] = [
        0x20: ("chapter", 0), 0x22: ("break", 3), 0x24: ("opening credit", 0),
        0x26: ("closing credit", 0), 0x30: ("provider advertisement", 1),
        0x32: ("distributor advertisement", 1), 0x34: ("provider placement opportunity", 2),
        0x36: ("distributor placement opportunity", 2), 0x38: ("provider overlay placement opportunity", 0),
        0x3A: ("distributor overlay placement opportunity", 0), 0x3C: ("provider promo", 0),
        0x3E: ("distributor promo", 0), 0x40: ("unscheduled event", 0),
        0x42: ("alternate content opportunity", 0), 0x44: ("provider ad block", 2),
        0x46: ("distributor ad block", 2), 0x50: ("network", 0),
    ]
}
