/// Stream type 0x15 with PES packets of stream id 0xBD that contain ID3 tags (Apple, "Timed Metadata for HTTP Live Streaming",
/// section 2).
struct TransportStream {
    private static let packetSize = 188
    private static let syncByte: UInt8 = 0x47
    private static let metadataType: UInt8 = 0x15
    /// No tag of an ad's event is longer.
    private static let longestPacketBytes = 1 << 20

    private enum Role { case tables, media, metadata }

    private var roles: [UInt16: Role] = [:]
    private var sections: [UInt16: [UInt8]] = [:]
    private var packets: [UInt16: [UInt8]] = [:]
    private var tags: [(ticks: UInt64?, texts: [String])] = []
    /// `earliest` is relative to it.
    private var first: UInt64?
    private var earliest: Int64 = 0

    static func begins(_ octets: Octets) -> Bool {
        guard octets[0] == syncByte else { return false }
        return octets.count == packetSize || octets[packetSize] == syncByte
    }

    static func texts(_ octets: Octets) -> [TimedText] {
        var stream = TransportStream()
        stream.roles[0] = .tables
        for place in stride(from: 0, through: octets.count - packetSize, by: packetSize) {
            stream.take(octets[place..<place + packetSize])
        }
        for identifier in stream.packets.keys.sorted() { stream.finishPacket(identifier) }
        return stream.texts
    }

    private var texts: [TimedText] {
        tags.flatMap { tag in
            let ticks = tag.ticks.flatMap { end in first.map { Self.ticks(from: $0, to: end) - earliest } }
            return tag.texts.map { TimedText(text: $0, offsetMicroseconds: ticks.map { $0 &* 100 / 9 }) }
        }
    }

    /// 90,000 ticks a second in 33 bits, which wrap around after a day; counts the shorter way around.
    private static func ticks(from start: UInt64, to end: UInt64) -> Int64 {
        let mask: UInt64 = (1 << 33) - 1
        let ahead = Int64(bitPattern: (end &- start) & mask)
        return ahead > Int64(mask / 2) ? ahead - Int64(mask) - 1 : ahead
    }

    private mutating func take(_ packet: Octets) {
        guard packet[0] == Self.syncByte, let flags = packet[1], let low = packet[2], let control = packet[3] else {
            return
        }
        // Erroneous or scrambled packets are unreadable.
        guard flags & 0x80 == 0, control & 0xC0 == 0, control & 0x10 != 0 else { return }
        let identifier = UInt16(flags & 0x1F) << 8 | UInt16(low)
        guard let role = roles[identifier] else { return }
        var start = 4
        if control & 0x20 != 0 {
            guard let length = packet[4] else { return }
            start += 1 + Int(length)
        }
        let payload = packet.dropFirst(start)
        let begins = flags & 0x40 != 0
        switch role {
        case .tables: takeSection(payload, of: identifier, begins: begins)
        case .media where begins: takeMedia(payload)
        case .media: break
        case .metadata: takeMetadata(payload, of: identifier, begins: begins)
        }
    }

    private mutating func takeMetadata(_ payload: Octets, of identifier: UInt16, begins: Bool) {
        if begins {
            finishPacket(identifier)
            packets[identifier] = Array(payload.bytes)
        } else if let held = packets[identifier]?.count, held + payload.count <= Self.longestPacketBytes {
            packets[identifier]?.append(contentsOf: payload.bytes)
        }
    }

    private mutating func finishPacket(_ identifier: UInt16) {
        guard let bytes = packets.removeValue(forKey: identifier) else { return }
        let found = bytes.withUnsafeBytes { bytes -> (ticks: UInt64?, texts: [String])? in
            let octets = Octets(bytes)
            guard octets[3] == 0xBD, let header = PacketHeader(octets) else { return nil }
            return (header.presentationTicks, ID3Tag.all(in: octets[header.size..<header.end]).flatMap(\.userTexts))
        }
        if let found, !found.texts.isEmpty { tags.append(found) }
    }

    private mutating func takeMedia(_ payload: Octets) {
        guard let ticks = PacketHeader(payload)?.presentationTicks else { return }
        if let first {
            earliest = min(earliest, Self.ticks(from: first, to: ticks))
        } else {
            first = ticks
        }
    }

    private mutating func takeSection(_ payload: Octets, of identifier: UInt16, begins: Bool) {
        if begins {
            guard let pointer = payload[0] else { return }
            sections[identifier] = Array(payload.dropFirst(1 + Int(pointer)).bytes)
        } else {
            // A section has at most 1,024 bytes.
            guard let held = sections[identifier]?.count, held < 1_024 else { return }
            sections[identifier]?.append(contentsOf: payload.bytes)
        }
        guard let bytes = sections[identifier] else { return }
        bytes.withUnsafeBytes { bytes in
            let octets = Octets(bytes)
            guard let low: UInt16 = octets.integer(at: 1), octets.count >= 3 + Int(low & 0xFFF), low & 0xFFF >= 9 else {
                return
            }
            // Without the checksum.
            let section = octets[0..<3 + Int(low & 0xFFF) - 4]
            switch section[0] {
            case 0: takePrograms(section)
            case 2: takeStreams(section)
            default: break
            }
        }
    }

    /// Program association table (ISO/IEC 13818-1 section 2.4.4.3).
    private mutating func takePrograms(_ section: Octets) {
        for place in stride(from: 8, through: section.count - 4, by: 4) {
            guard let number: UInt16 = section.integer(at: place), number != 0,
                let map: UInt16 = section.integer(at: place + 2)
            else { continue }
            if roles[map & 0x1FFF] == nil { roles[map & 0x1FFF] = .tables }
        }
    }

    /// Program map (ISO/IEC 13818-1 section 2.4.4.8).
    private mutating func takeStreams(_ section: Octets) {
        guard let length: UInt16 = section.integer(at: 10) else { return }
        var place = 12 + Int(length & 0xFFF)
        while let type = section[place], let identifier: UInt16 = section.integer(at: place + 1),
            let more: UInt16 = section.integer(at: place + 3)
        {
            roles[identifier & 0x1FFF] = type == Self.metadataType ? .metadata : .media
            place += 5 + Int(more & 0xFFF)
        }
    }
}

/// Head of a PES packet (ISO/IEC 13818-1 section 2.4.3.6).
private struct PacketHeader {
    let size: Int
    let end: Int
    let presentationTicks: UInt64?

    init?(_ octets: Octets) {
        guard octets[0] == 0, octets[1] == 0, octets[2] == 1, let length: UInt16 = octets.integer(at: 4),
            let marker = octets[6], marker & 0xC0 == 0x80, let flags = octets[7], let header = octets[8]
        else { return nil }
        size = 9 + Int(header)
        end = length == 0 ? max(octets.count, size) : max(6 + Int(length), size)
        guard flags & 0x80 != 0, header >= 5, let high = octets[9], let middle: UInt16 = octets.integer(at: 10),
            let low: UInt16 = octets.integer(at: 12)
        else {
            presentationTicks = nil
            return
        }
        presentationTicks = UInt64(high >> 1 & 0x07) << 30 | UInt64(middle >> 1) << 15 | UInt64(low >> 1)
    }
}
