import CBytes

/// 64 bytes of a JSON text without a backslash, as bits: the first byte's is the lowest.
struct JSONBlock {
    static let length = 64

    /// Brackets and commas that stand in no text.
    private(set) var opening: UInt64
    private(set) var closing: UInt64
    private(set) var commas: UInt64
    let endsInText: Bool

    /// Nil where fewer bytes are left, and where one of them is a backslash: what follows that is for somebody slower.
    ///
    /// - Parameters:
    ///   - text: All of it.
    ///   - position: Where the block begins; not behind a backslash of a text.
    ///   - isInText: Whether that is within a text.
    init?(_ text: UnsafeRawBufferPointer, at position: Int, isInText: Bool) {
        guard let start = text.baseAddress, position >= 0, text.count - position >= Self.length else { return nil }
        let marks = podswarm_json_marks_of(start + position)
        guard marks.backslashes == 0 else { return nil }
        // Each bit becomes the parity of the quotes up to it: 1 from one that opens to the one that closes.
        var inText = marks.quotes
        for shift in [1, 2, 4, 8, 16, 32] as [UInt64] { inText ^= inText &<< shift }
        if isInText { inText = ~inText }
        (opening, closing, commas) = (marks.opening & ~inText, marks.closing & ~inText, marks.commas & ~inText)
        endsInText = inText >> 63 == 1
    }

    /// How many bytes there are up to the bracket that closes the last of so many; nil where it is not in the block.
    func end(ofOpen count: Int) -> Int? {
        var (open, left) = (count, opening | closing)
        while left != 0 {
            let bit = left & (~left &+ 1)
            open += opening & bit == 0 ? -1 : 1
            guard open > 0 else { return bit.trailingZeroBitCount + 1 }
            left &= left &- 1
        }
        return nil
    }

    /// The same without what stands behind so many bytes.
    func upTo(_ end: Int) -> JSONBlock {
        let kept = end < Self.length ? (UInt64(1) &<< UInt64(end)) &- 1 : .max
        var part = self
        part.opening &= kept
        part.closing &= kept
        part.commas &= kept
        return part
    }
}
