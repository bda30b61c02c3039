import AdServing

/// The media ids of a loop that metadata lists and the target has recorded for some viewer: such a one is whole.
///
/// Confined to its loop. Of many ids, those that came first are kept.
final class RecordedMediaIDs {
    private static let mostIDs = 4_096

    private var hashes: Set<UInt64> = []

    /// A ping was recorded.
    func add(_ url: String) {
        guard hashes.count < Self.mostIDs else { return }
        hashes.insert(Self.hash(ofIDIn: url))
    }

    /// Whether the id of a ping was recorded for somebody.
    func has(_ url: String) -> Bool { hashes.contains(Self.hash(ofIDIn: url)) }

    /// What stands before the last slash is a session's own.
    private static func hash(ofIDIn url: String) -> UInt64 {
        var id = String(url[(url.lastIndex(of: "/").map(url.index(after:)) ?? url.startIndex)...])
        var hash = RunHash()
        id.withUTF8 { hash.add(UnsafeRawBufferPointer($0)) }
        return hash.value
    }
}
