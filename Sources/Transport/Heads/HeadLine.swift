import Glibc

/// One line of a head: its length with its line end, and the position of its first colon, negative without a colon.
struct HeadLine {
    let count: Int
    let colon: Int

    /// The first line within this many bytes; nil when it has not ended.
    @inline(__always)
    init?(at start: UnsafeRawPointer, of available: Int) {
        guard let end = memchr(start, Int32(AnswerHead.lineFeed), available) else { return nil }
        count = UnsafeRawPointer(end) - start + 1
        colon = memchr(start, Int32(UInt8(ascii: ":")), count).map { UnsafeRawPointer($0) - start } ?? -1
    }
}
