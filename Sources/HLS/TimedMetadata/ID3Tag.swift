/// ID3v2.3 or v2.4 (id3.org, "ID3 tag version 2.3.0" and "ID3 tag version 2.4.0 - Main Structure").
struct ID3Tag {
    /// TXXX frames are for custom values.
    private(set) var userTexts: [String] = []
    private(set) var privates: [(owner: String, data: [UInt8])] = []

    private static let headerSize = 10
    private struct Flags {
        let isUnreadable: Bool
        let isUnsynchronised: Bool
        /// Bytes before the content.
        let extra: Int

        init(_ byte: UInt8, isNewer: Bool) {
            isUnreadable = byte & (isNewer ? 0x0C : 0xC0) != 0
            isUnsynchronised = isNewer && byte & 0x02 != 0
            extra = isNewer ? (byte & 0x40 != 0 ? 1 : 0) + (byte & 0x01 != 0 ? 4 : 0) : byte & 0x20 != 0 ? 1 : 0
        }
    }

    static func begins(_ octets: Octets) -> Bool {
        let isMarked = octets.bytes.starts(with: "ID3".utf8)
        guard isMarked, let major = octets[3], let revision = octets[4] else { return false }
        return major < 0xFF && revision < 0xFF && syncsafe(octets, at: 6) != nil
    }

    static func all(in octets: Octets) -> [ID3Tag] {
        var tags: [ID3Tag] = []
        var rest = octets
        while begins(rest), let size = syncsafe(rest, at: 6), let flags = rest[5] {
            if let tag = ID3Tag(rest) { tags.append(tag) }
            rest = rest.dropFirst(headerSize + size + (flags & 0x10 != 0 ? headerSize : 0))
        }
        return tags
    }

    private init?(_ octets: Octets) {
        guard let major = octets[3], major == 3 || major == 4, let flags = octets[5],
            let size = Self.syncsafe(octets, at: 6)
        else { return nil }
        let content = octets[Self.headerSize..<Self.headerSize + size]
        if major == 3, flags & 0x80 != 0 {
            // Version 2.3 unsynchronises the whole tag; sizes of frames count without the inserted zeros.
            Self.synchronised(content).withUnsafeBytes { read(Octets($0), isNewer: false, flags: flags) }
        } else {
            read(content, isNewer: major == 4, flags: flags)
        }
    }

    private mutating func read(_ content: Octets, isNewer: Bool, flags: UInt8) {
        var place = 0
        if flags & 0x40 != 0 {
            // The size of the extended header includes itself in 2.4, and not in 2.3.
            let plain: UInt32? = content.integer(at: 0)
            let size = isNewer ? Self.syncsafe(content, at: 0) : plain.map { Int($0) + 4 }
            guard let size, size > 0 else { return }
            place = size
        }
        while place <= content.count - Self.headerSize, let name = Self.frameName(content, at: place),
            let size = Self.frameSize(content, at: place + 4, isNewer: isNewer), let second = content[place + 9]
        {
            let flags = Flags(second, isNewer: isNewer)
            let start = place + Self.headerSize
            guard size <= content.count - start else { return }
            place = start + size
            guard !flags.isUnreadable, flags.extra <= size else { continue }
            let frame = content[start + flags.extra..<place]
            if flags.isUnsynchronised {
                Self.synchronised(frame).withUnsafeBytes { take(Octets($0), of: name) }
            } else {
                take(frame, of: name)
            }
        }
    }

    private mutating func take(_ frame: Octets, of name: UInt32) {
        switch name {
        case 0x5458_5858:
            guard let encoding = frame[0] else { return }
            // The first text is the description.
            userTexts += Self.texts(frame.dropFirst(1), encoding: encoding).dropFirst().filter { !$0.isEmpty }
        case 0x5052_4956:
            guard let owner = frame.terminatedText(at: 0) else { return }
            privates.append((owner.text, Array(frame.dropFirst(owner.end).bytes)))
        default: break
        }
    }

    /// Nil where padding begins.
    private static func frameName(_ octets: Octets, at place: Int) -> UInt32? {
        guard let name: UInt32 = octets.integer(at: place) else { return nil }
        let isName = octets[place..<place + 4].bytes.allSatisfy { byte in
            (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
        }
        return isName ? name : nil
    }

    /// Seven bits a byte in 2.4, although some writers use all eight there too.
    private static func frameSize(_ octets: Octets, at place: Int, isNewer: Bool) -> Int? {
        if isNewer, let size = syncsafe(octets, at: place) { return size }
        return octets.integer(at: place).map { (size: UInt32) in Int(size) }
    }

    /// 28 bits in four bytes.
    private static func syncsafe(_ octets: Octets, at place: Int) -> Int? {
        guard place >= 0, place <= octets.count - 4 else { return nil }
        let digits = octets[place..<place + 4].bytes
        guard digits.allSatisfy({ $0 < 0x80 }) else { return nil }
        return digits.reduce(0) { $0 << 7 | Int($1) }
    }

    /// Removes the zero after each `FF`, which keeps decoders from taking it for audio.
    private static func synchronised(_ octets: Octets) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(octets.count)
        var isAfterOnes = false
        for byte in octets.bytes {
            if !isAfterOnes || byte != 0 { bytes.append(byte) }
            isAfterOnes = byte == 0xFF
        }
        return bytes
    }

    private static func texts(_ octets: Octets, encoding: UInt8) -> [String] {
        let pieces = octets.bytes.split(separator: 0, omittingEmptySubsequences: false)
        return switch encoding {
        case 0: pieces.map { String(String.UnicodeScalarView($0.map { Unicode.Scalar($0) })) }
        case 1, 2: wideTexts(octets)
        case 3: pieces.map { String(decoding: $0, as: UTF8.self) }
        default: []
        }
    }

    /// UTF-16, with a byte order mark before each text or else big-endian.
    private static func wideTexts(_ octets: Octets) -> [String] {
        var units: [UInt16] = []
        for place in stride(from: 0, to: octets.count - 1, by: 2) {
            if let unit: UInt16 = octets.integer(at: place) { units.append(unit) }
        }
        return units.split(separator: 0, omittingEmptySubsequences: false).map { piece in
            switch piece.first {
            case 0xFFFE: String(decoding: piece.dropFirst().map(\.byteSwapped), as: UTF16.self)
            case 0xFEFF: String(decoding: piece.dropFirst(), as: UTF16.self)
            default: String(decoding: piece, as: UTF16.self)
            }
        }
    }

    private static let timestampOwner = "com.apple.streaming.transportStreamTimestamp"

    /// Texts of bare tags at its head (RFC 8216 section 3.4).
    static func textsOfPackedAudio(_ octets: Octets) -> [TimedText] {
        let tags = all(in: octets)
        let isTimed = tags.contains { $0.privates.first { $0.owner == timestampOwner }?.data.count == 8 }
        return tags.flatMap(\.userTexts).map { TimedText(text: $0, offsetMicroseconds: isTimed ? 0 : nil) }
    }
}
