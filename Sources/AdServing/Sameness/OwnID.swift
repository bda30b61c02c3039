import Values

/// An id in any spelling: plain, percent-encoded with digits of either case, or with its percent signs encoded again.
struct OwnID {
    private let bytes: [UInt8]
    private let canBeginEncoded: Bool

    init(_ id: String) {
        bytes = Array(id.utf8)
        canBeginEncoded = bytes.first.map { !$0.isUnreserved } ?? false
    }

    func masked(in text: String) -> String {
        var text = text
        let masked: String? = text.withUTF8 { utf8 in
            let body = UnsafeRawBufferPointer(utf8)
            guard body.indices.contains(where: { canBegin(body[$0]) && end(in: body, from: $0) != nil }) else {
                return nil
            }
            var masked: [UInt8] = []
            masked.reserveCapacity(body.count)
            var index = 0
            while index < body.count {
                if canBegin(body[index]), let end = end(in: body, from: index) {
                    masked.append(UInt8(ascii: "*"))
                    index = end
                } else {
                    masked.append(body[index])
                    index += 1
                }
            }
            return String(decoding: masked, as: UTF8.self)
        }
        return masked ?? text
    }

    func canBegin(_ byte: UInt8) -> Bool { byte == bytes.first || canBeginEncoded && byte == UInt8(ascii: "%") }

    func end(in body: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var index = start
        for expected in bytes {
            guard index < body.count else { return nil }
            if body[index] == expected {
                index += 1
            } else if let (byte, end) = PercentEncoding.escape(in: body, at: index, before: body.count),
                byte == expected
            {
                index = end
            } else {
                return nil
            }
        }
        return index
    }
}
