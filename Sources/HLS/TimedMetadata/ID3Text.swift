enum ID3Text {
    /// The values of a TXXX frame after its description: one text, several in version 2.4.
    static func values(ofUserText frame: Octets) -> [String] {
        guard let encoding = frame[0] else { return [] }
        let pieces = texts(frame.dropFirst(1), encoding: encoding)
        return pieces.dropFirst().filter { !$0.isEmpty }
    }

    private static func texts(_ octets: Octets, encoding: UInt8) -> [String] {
        switch encoding {
        case 0:
            return octets.bytes.split(separator: 0, omittingEmptySubsequences: false).map { piece in
                String(String.UnicodeScalarView(piece.map { Unicode.Scalar($0) }))
            }
        case 1, 2: return wideTexts(octets)
        case 3:
            return octets.bytes.split(separator: 0, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
        default: return []
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
}
