import HLS

/// What counts memory for the whole process, on any thread.
package protocol MemoryAccount: AnyObject, Sendable {
    /// Counts so many bytes as taken, whether or not they are left.
    func hold(_ bytes: Int)
    func giveBack(_ bytes: Int)
}

/// Memory that something understood takes as long as it is kept, counted while this lives.
///
/// What counts leaves less room for bodies that arrive: a target whose answers are kept by the megabyte is given no
/// more of them, and its next ones are too large.
package final class KeptMemory: Sendable {
    /// What nearly all that is kept comes to; it costs no counting.
    private static let freeBytes = 128 << 10

    package let bytes: Int
    private let account: any MemoryAccount

    /// Nil for what is small, and where nobody counts.
    package init?(_ bytes: Int, _ account: (any MemoryAccount)?) {
        guard let account, bytes > Self.freeBytes else { return nil }
        (self.bytes, self.account) = (bytes, account)
        account.hold(bytes)
    }

    deinit { account.giveBack(bytes) }
}

extension MediaPlaylist {
    /// Roughly the memory that it takes.
    var keptBytes: Int {
        text.count + segments.count * MemoryLayout<Segment>.stride + parts.count * MemoryLayout<PartialSegment>.stride
            + otherTags.count * MemoryLayout<OtherTag>.stride
            // Each has some texts of its own, and what is announced keeps them a second time.
            + dateRanges.count * (MemoryLayout<DateRange>.stride + 512)
    }
}
