/// Tells bodies apart that differ by more than the session that asked for them.
package enum MaskedBody {
    /// A hash of the body with every spelling of the viewer's own stream id masked.
    package static func fingerprint(_ body: UnsafeRawBufferPointer, own: StreamID) -> UInt64 {
        var hash = RunHash()
        let own = OwnID(own)
        var runStart = 0
        var index = 0
        while index < body.count {
            guard own.canBegin(body[index]), let end = own.end(in: body, from: index) else {
                index += 1
                continue
            }
            hash.add(UnsafeRawBufferPointer(rebasing: body[runStart..<index]))
            (runStart, index) = (end, end)
        }
        hash.add(UnsafeRawBufferPointer(rebasing: body[runStart..<body.count]))
        return hash.value
    }
}

/// An id in any of its spellings: as it is, percent-encoded, and with its percent signs encoded again.
private struct OwnID {
    private let bytes: [UInt8]
    private let canBeginEncoded: Bool

    init(_ id: StreamID) {
        bytes = Array(id.rawValue.utf8)
        canBeginEncoded = bytes.first.map { !PercentEncoding.isUnreserved($0) } ?? false
    }

    func canBegin(_ byte: UInt8) -> Bool { byte == bytes.first || canBeginEncoded && byte == UInt8(ascii: "%") }

    /// Where the spelling ends that begins at a place, if one does.
    func end(in body: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var index = start
        for expected in bytes {
            guard index < body.count else { return nil }
            if body[index] == expected {
                index += 1
            } else if body[index] == UInt8(ascii: "%"), let (byte, end) = Self.escape(in: body, at: index),
                byte == expected
            {
                index = end
            } else {
                return nil
            }
        }
        return index
    }

    /// The byte an escape stands for, also where the percent sign is itself encoded, and where the escape ends.
    private static func escape(in body: UnsafeRawBufferPointer, at start: Int) -> (byte: UInt8, end: Int)? {
        var index = start + 1
        while index + 1 < body.count, body[index] == UInt8(ascii: "2"), body[index + 1] == UInt8(ascii: "5"),
            index + 3 < body.count
        {
            index += 2
        }
        guard index + 1 < body.count,
            let high = PercentEncoding.hexDigit(body[index]), let low = PercentEncoding.hexDigit(body[index + 1])
        else { return nil }
        return (high << 4 | low, index + 2)
    }
}
