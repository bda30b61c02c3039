struct CodingList {
    /// libcurl's limit, so that a head cannot make podswarm build decoders without end.
    static let maximumCount = 5

    private var packed: UInt32 = 0
    private var count: UInt8 = 0

    var isEmpty: Bool { count == 0 }

    /// Adds the value of a `Content-Encoding` or `Transfer-Encoding` header; nil when there are too many codings.
    ///
    /// Returns whether `chunked` was among the transfer codings; it is not kept.
    mutating func take(_ value: UnsafeRawBufferPointer, isTransfer: Bool) -> Bool? {
        var hasChunked = false
        var position = 0
        while position < value.count {
            while position < value.count, Self.isSeparator(value[position]) { position &+= 1 }
            let start = position
            var end = position
            while position < value.count, value[position] != UInt8(ascii: ",") {
                let byte = value[position]
                position &+= 1
                if byte != 0x20 && (byte < 0x09 || byte > 0x0d) { end = position }
            }
            let name = value[start..<end]
            guard !name.isEmpty else { continue }
            if isTransfer, ContentCoding.matches(name, "chunked") {
                hasChunked = true
                continue
            }
            guard Int(count) < Self.maximumCount else { return nil }
            let entry = UInt32(ContentCoding(name).rawValue) | (isTransfer ? 4 : 0)
            packed |= entry << (UInt32(count) &* 4)
            count &+= 1
        }
        return hasChunked
    }

    /// The codings to undo, the outermost first: those of the transfer, then those of the content.
    var decodingOrder: [ContentCoding] {
        let entries = (0..<Int(count)).reversed().map(entry)
        let ordered = entries.filter(\.isTransfer) + entries.filter { !$0.isTransfer }
        return ordered.map(\.coding).filter { $0 != .identity }
    }

    private func entry(_ index: Int) -> (coding: ContentCoding, isTransfer: Bool) {
        let bits = packed >> (UInt32(index) &* 4)
        return (ContentCoding(rawValue: UInt8(bits & 3)) ?? .unknown, bits & 4 != 0)
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: ",")
    }
}
