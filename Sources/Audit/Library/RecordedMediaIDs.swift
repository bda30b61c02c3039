import AdServing

/// Media ids that metadata lists and the target has recorded for some viewer, so that they are whole.
///
/// Confined to its loop. Only the first ids are kept.
final class RecordedMediaIDs {
    private static let mostIDs = 4_096

    private var hashes: Set<UInt64> = []

    func add(_ url: String) {
        guard hashes.count < Self.mostIDs else { return }
        hashes.insert(Self.hash(ofIDIn: url))
    }

    func has(_ url: String) -> Bool { hashes.contains(Self.hash(ofIDIn: url)) }

    /// The part before the last slash is the session's own.
    private static func hash(ofIDIn url: String) -> UInt64 {
        var id = String(url[(url.lastIndex(of: "/").map(url.index(after:)) ?? url.startIndex)...])
        var hash = RunHash()
        id.withUTF8 { hash.add(UnsafeRawBufferPointer($0)) }
        return hash.value
    }
}
