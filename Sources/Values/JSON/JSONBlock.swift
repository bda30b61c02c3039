import CBytes

/// Bit masks of 64 bytes of JSON without a backslash; the lowest bit is the first byte.
struct JSONBlock {
    static let length = 64

    /// Brackets and commas outside strings.
    private(set) var opening: UInt64
    private(set) var closing: UInt64
    private(set) var commas: UInt64
    let endsInText: Bool

    /// Returns nil if fewer bytes are left or one of them is a backslash, which the caller reads byte by byte.
    ///
    /// `position` must not follow a backslash of a string; `isInText` says whether it is within a string.
    init?(_ text: UnsafeRawBufferPointer, at position: Int, isInText: Bool) {
        guard let start = text.baseAddress, position >= 0, text.count - position >= Self.length else { return nil }
        let marks = podswarm_json_marks_of(start + position)
        guard marks.backslashes == 0 else { return nil }
        // Each bit becomes the parity of the quotes up to it: 1 from an opening quote to the closing one.
        var inText = marks.quotes
        for shift in [1, 2, 4, 8, 16, 32] as [UInt64] { inText ^= inText &<< shift }
        if isInText { inText = ~inText }
        (opening, closing, commas) = (marks.opening & ~inText, marks.closing & ~inText, marks.commas & ~inText)
        endsInText = inText >> 63 == 1
    }

    /// Number of bytes up to the bracket that closes the outermost of `count` open ones; nil if it is not in the block.
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

    /// The block's marks among its first `end` bytes.
    func upTo(_ end: Int) -> JSONBlock {
        let kept = end < Self.length ? (UInt64(1) &<< UInt64(end)) &- 1 : .max
        var part = self
        part.opening &= kept
        part.closing &= kept
        part.commas &= kept
        return part
    }
}
