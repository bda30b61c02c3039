import HLS

/// Counts memory for the whole process, on any thread.
package protocol MemoryAccount: AnyObject, Sendable {
    /// Counts bytes as taken, whether or not they are left.
    func hold(_ bytes: Int)
    func giveBack(_ bytes: Int)
}

/// Memory of a parsed answer, counted while this object lives.
///
/// Counted memory leaves less room for arriving bodies: once a target's answers take megabytes, its next ones are too large.
package final class KeptMemory: Sendable {
    /// Answers up to this size, which are nearly all, are not counted.
    private static let freeBytes = 128 << 10

    package let bytes: Int
    private let account: any MemoryAccount

    /// Nil for small answers, and without an account.
    package init?(_ bytes: Int, _ account: (any MemoryAccount)?) {
        guard let account, bytes > Self.freeBytes else { return nil }
        (self.bytes, self.account) = (bytes, account)
        account.hold(bytes)
    }

    deinit { account.giveBack(bytes) }
}

extension MediaPlaylist {
    /// Approximate memory in bytes.
    var keptBytes: Int {
        text.count + segments.count * MemoryLayout<Segment>.stride + parts.count * MemoryLayout<PartialSegment>.stride
            + otherTags.count * MemoryLayout<OtherTag>.stride
            // Each has some texts of its own, and its announcement keeps them a second time.
            + dateRanges.count * (MemoryLayout<DateRange>.stride + 512)
    }
}
