/// A splice_info_section (ANSI/SCTE 35 2023 section 9.6).
package struct SpliceSection: Hashable, Sendable {
    /// The effect of a section on the programme.
    package enum Meaning: Hashable, Sendable {
        case out(duration: Duration?)
        case `in`
    }

    package enum Command: Hashable, Sendable {
        case insert(Insert)
        /// Ticks of 90 kHz; nil for the present moment.
        case timeSignal(time: UInt64?)
        /// Without content for HLS, reserved, or encrypted.
        case other(UInt8)
    }

    /// splice_insert() (section 9.7.3).
    package struct Insert: Hashable, Sendable {
        package let eventID: UInt32
        package var isCancelled = true
        package var isOut = false
        package var isImmediate = false
        package var time: UInt64?
        /// Ticks of 90 kHz.
        package var duration: UInt64?
        package var returnsByItself = false
        package var programID: UInt16?
        package var availNumber: UInt8?
        package var availsExpected: UInt8?
    }

    /// segmentation_descriptor() (section 10.3.3).
    package struct Segmentation: Hashable, Sendable {
        package let eventID: UInt32
        package var isCancelled = true
        /// Ticks of 90 kHz.
        package var duration: UInt64?
        package var upidType: UInt8 = 0
        package var upid: [UInt8] = []
        package var type: UInt8 = 0
        package var number: UInt8 = 0
        package var expected: UInt8 = 0
    }

    package let byteCount: Int
    package private(set) var isEncrypted = false
    /// Ticks of 90 kHz, added to every time.
    package private(set) var adjustment: UInt64 = 0
    package private(set) var tier: UInt16 = 0
    package private(set) var command = Command.other(0)
    package private(set) var segmentations: [Segmentation] = []
    package private(set) var otherDescriptors: [UInt8] = []

    /// section_length has 12 bits, of which 4,093 bytes may be used.
    package static let longest = 4_096

    /// Checks neither length nor checksum: see ``formFault(of:)``.
    package init(_ bytes: UnsafeRawBufferPointer) throws(SpliceFault) {
        byteCount = bytes.count
        var reader = Reader(bytes: bytes)
        guard bytes.first == 0xFC, reader.skip(4), let head = reader.number(5), reader.skip(1),
            let lengths = reader.number(3), let type = reader.number(1)
        else { throw .notASection }
        isEncrypted = head >> 39 & 1 == 1
        adjustment = head & Self.time
        tier = UInt16(truncatingIfNeeded: lengths >> 12)
        command = .other(UInt8(truncatingIfNeeded: type))
        guard !isEncrypted else { return }
        let start = reader.position
        switch type {
        case 0x05: command = .insert(reader.spliceInsert())
        case 0x06: command = .timeSignal(time: reader.spliceTime())
        default: break
        }
        let length = Int(lengths & 0xFFF)
        // 0xFFF stands for no length; some encoders write 0. Both commands determine their own.
        let hasLength = length != 0xFFF && (length > 0 || type != 0x05 && type != 0x06)
        if hasLength { reader.position = start + length }
        if !hasLength, type != 0x05, type != 0x06 { return }
        guard !reader.isShort, reader.position <= bytes.count else { throw .shortCommand }
        try readDescriptors(&reader)
    }

    private static let time: UInt64 = 0x1_FFFF_FFFF

    private mutating func readDescriptors(_ reader: inout Reader) throws(SpliceFault) {
        guard let loop = reader.number(2) else { throw .shortCommand }
        let end = reader.position + Int(loop)
        guard end <= byteCount else { throw .longDescriptors }
        while reader.position < end {
            guard let tag = reader.number(1), let length = reader.number(1) else { throw .longDescriptors }
            let next = reader.position + Int(length)
            guard next <= end else { throw .longDescriptors }
            // The standard defines tags of the owner "CUEI" alone.
            if tag == 0x02, length >= 9, reader.number(4) == 0x4355_4549 {
                guard let segmentation = reader.segmentation(before: next) else { throw .longDescriptors }
                segmentations.append(segmentation)
            } else {
                otherDescriptors.append(UInt8(truncatingIfNeeded: tag))
            }
            reader.position = next
        }
    }

    /// Ticks of 90 kHz.
    package static func duration(ticks: UInt64) -> Duration { .microseconds(Int64((ticks * 100 + 4) / 9)) }

    package var meaning: Meaning? { meanings.first }

    /// Begins and ends that are not cancelled; one section may end a break and begin the next.
    package var edges: [(meaning: Meaning, event: SpliceEvent)] {
        func edge(_ side: SpliceTable.Edge, _ ticks: UInt64?, _ event: SpliceEvent) -> (Meaning, SpliceEvent) {
            (side == .in ? .in : .out(duration: ticks.map(Self.duration)), event)
        }
        switch command {
        case .insert(let insert):
            let event = SpliceEvent(id: insert.eventID, type: nil, level: nil)
            return insert.isCancelled ? [] : [edge(insert.isOut ? .out : .in, insert.duration, event)]
        case .timeSignal:
            return segmentations.compactMap { found in
                guard !found.isCancelled, let (side, level) = SpliceTable.edge(of: found.type) else { return nil }
                return edge(side, found.duration, SpliceEvent(id: found.eventID, type: found.type & 0xFE, level: level))
            }
        case .other: return []
        }
    }

    package var meanings: [Meaning] { edges.map(\.meaning) }

    /// A section that ends a break and begins the next counts as beginning one.
    package var outermost: (meaning: Meaning, level: Int?)? {
        let edges = edges
        guard let level = edges.map(\.event.level).max(by: { $0 ?? 0 < $1 ?? 0 }) else { return nil }
        let meanings = edges.filter { $0.event.level == level }.map(\.meaning)
        return (meanings.first { $0 != .in } ?? .in, level)
    }

    /// The section takes back an event, and does nothing else.
    package var isCancelled: Bool {
        switch command {
        case .insert(let insert): insert.isCancelled
        case .timeSignal: !segmentations.isEmpty && segmentations.allSatisfy(\.isCancelled)
        case .other: false
        }
    }

    /// A length of 0 says nothing.
    package var lengths: [Duration] {
        meanings.compactMap { meaning in
            guard case .out(let duration) = meaning, let duration, duration > .zero else { return nil }
            return duration
        }
    }

    package func events(_ side: SpliceTable.Edge) -> [SpliceEvent] {
        edges.filter { ($0.meaning == .in) == (side == .in) }.map(\.event)
    }
}

/// Begun and ended under one number (SCTE 35 sections 9.7.3 and 10.3.3).
package struct SpliceEvent: Hashable, Sendable {
    package let id: UInt32
    /// Nil for a splice_insert.
    package let type: UInt8?
    /// Ads lie inside of placement opportunities, and those inside of breaks.
    package let level: Int?
}

/// The fault that keeps a text from being a splice_info_section.
package enum SpliceFault: Error, Hashable, Sendable {
    case notHexadecimal(isBase64: Bool)
    case notBase64
    case oddDigits, otherDigits, notASection, otherLength, shortCommand, longDescriptors, otherChecksum

    package var expected: String { row.expected }
    package var likely: String { row.likely }

    private var row: (expected: String, likely: String) {
        let (cut, lengths) = ("The section was cut off.", "The encoder writes wrong lengths inside of the section.")
        return switch self {
        case .notHexadecimal(true):
            ("hexadecimal digits after 0x, and not base64", "The section is written in base64, as cue tags carry it.")
        case .notHexadecimal(false): ("hexadecimal digits after 0x", "The 0x before the digits is missing.")
        case .notBase64: ("base64 of a splice_info_section", "The text was escaped or changed on its way.")
        case .oddDigits: ("whole bytes: an even number of hexadecimal digits", cut)
        case .otherDigits: ("hexadecimal digits only", "Other text stands among the digits.")
        case .notASection:
            (
                "a splice_info_section: table_id 0xFC and 14 bytes more",
                "The section is empty, or something else was written in its place."
            )
        case .otherLength: ("a section as long as its section_length says", cut)
        case .shortCommand: ("a section whose command ends inside of it", lengths)
        case .longDescriptors: ("a section whose descriptors end inside of it", lengths)
        case .otherChecksum:
            ("a section whose CRC_32 is right", "The section was changed without computing CRC_32 again.")
        }
    }
}

extension SpliceSection {
    /// Checks length and checksum (section 9.6.1), which some packagers clear.
    package static func formFault(of bytes: UnsafeRawBufferPointer) -> SpliceFault? {
        guard bytes.count >= 15, bytes[0] == 0xFC else { return .notASection }
        guard Int(bytes[1] & 0x0F) << 8 | Int(bytes[2]) == bytes.count - 3 else { return .otherLength }
        return bytes.suffix(4).allSatisfy { $0 == 0 } || checksum(bytes) == 0 ? nil : .otherChecksum
    }

    /// CRC-32/MPEG-2, which leaves zero over a section that ends in its own checksum.
    package static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        bytes.reduce(0xFFFF_FFFF) { $0 << 8 ^ table[Int(UInt8(truncatingIfNeeded: $0 >> 24) ^ $1)] }
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte) << 24) { crc, _ in
            crc & 0x8000_0000 == 0 ? crc << 1 : crc << 1 ^ 0x04C1_1DB7
        }
    }

    /// Sections without 0x begin with f in hexadecimal, and with a slash in base64.
    package static func isHexadecimal(_ text: some StringProtocol) -> Bool {
        hasMark(text) || text.utf8.first.map { $0 | 0x20 } == UInt8(ascii: "f")
    }

    private static func hasMark(_ text: some StringProtocol) -> Bool { text.hasPrefix("0x") || text.hasPrefix("0X") }

    /// Decodes hexadecimal digits, whose 0x may be left out, or base64, as tags without a standard carry sections.
    package static func bytes(of text: some StringProtocol) throws(SpliceFault) -> [UInt8] {
        guard isHexadecimal(text) else {
            guard let bytes = Base64.decode(text) else { throw .notBase64 }
            return bytes
        }
        let digits = Array(text.utf8.dropFirst(hasMark(text) ? 2 : 0))
        guard digits.count % 2 == 0 else { throw .oddDigits }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index].hexDigitValue, let low = digits[index + 1].hexDigitValue else {
                throw .otherDigits
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    package init(checked bytes: [UInt8]) throws(SpliceFault) {
        self = try bytes.span.bytes.withUnsafeBytes { bytes throws(SpliceFault) -> SpliceSection in
            if let fault = Self.formFault(of: bytes) { throw fault }
            return try SpliceSection(bytes)
        }
    }

    /// Ignores length and checksum.
    package init?(text: some StringProtocol) {
        guard text.utf8.count <= 2 * Self.longest + 2, let bytes = try? Self.bytes(of: text),
            bytes.count <= Self.longest,
            let section = bytes.withUnsafeBytes({ try? SpliceSection($0) })
        else { return nil }
        self = section
    }
}

private struct Reader {
    let bytes: UnsafeRawBufferPointer
    var position = 0
    private(set) var isShort = false

    mutating func number(_ count: Int) -> UInt64? {
        guard position >= 0, count <= bytes.count - position else {
            isShort = true
            return nil
        }
        let value = bytes[position..<(position + count)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        position += count
        return value
    }

    mutating func skip(_ count: Int) -> Bool {
        guard count <= bytes.count - position else {
            isShort = true
            return false
        }
        position += count
        return true
    }

    mutating func spliceTime() -> UInt64? {
        guard let first = number(1), first & 0x80 != 0, let rest = number(4) else { return nil }
        return (first & 1) << 32 | rest
    }

    mutating func spliceInsert() -> SpliceSection.Insert {
        var insert = SpliceSection.Insert(eventID: UInt32(truncatingIfNeeded: number(4) ?? 0))
        guard let cancel = number(1), cancel & 0x80 == 0, let flags = number(1) else { return insert }
        insert.isCancelled = false
        insert.isOut = flags & 0x80 != 0
        insert.isImmediate = flags & 0x10 != 0
        if flags & 0x40 != 0 {
            if !insert.isImmediate { insert.time = spliceTime() }
        } else {
            for _ in 0..<(number(1) ?? 0) where !isShort {
                _ = skip(1)
                if !insert.isImmediate { insert.time = spliceTime() }
            }
        }
        if flags & 0x20 != 0, let length = number(5) {
            insert.returnsByItself = length >> 39 & 1 == 1
            insert.duration = length & 0x1_FFFF_FFFF
        }
        insert.programID = number(2).map { UInt16(truncatingIfNeeded: $0) }
        insert.availNumber = number(1).map { UInt8(truncatingIfNeeded: $0) }
        insert.availsExpected = number(1).map { UInt8(truncatingIfNeeded: $0) }
        return insert
    }

    /// Nil if the descriptor ends before its segmentation_type_id.
    mutating func segmentation(before end: Int) -> SpliceSection.Segmentation? {
        guard let event = number(4), let cancel = number(1) else { return nil }
        var found = SpliceSection.Segmentation(eventID: UInt32(truncatingIfNeeded: event))
        guard cancel & 0x80 == 0 else { return found }
        found.isCancelled = false
        guard let flags = number(1) else { return nil }
        if flags & 0x80 == 0 { _ = skip(Int(number(1) ?? 0) * 6) }
        if flags & 0x40 != 0 { found.duration = number(5) }
        guard let upidType = number(1), let length = number(1), position + Int(length) < end else { return nil }
        found.upidType = UInt8(truncatingIfNeeded: upidType)
        found.upid = Array(bytes[position..<(position + Int(length))])
        position += Int(length)
        guard let type = number(1), position <= end else { return nil }
        found.type = UInt8(truncatingIfNeeded: type)
        guard position + 2 <= end, let counts = number(2) else { return found }
        found.number = UInt8(truncatingIfNeeded: counts >> 8)
        found.expected = UInt8(truncatingIfNeeded: counts)
        return found
    }
}
