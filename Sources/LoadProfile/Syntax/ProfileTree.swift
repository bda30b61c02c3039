/// A profile's text as a tree.
///
/// Every node knows its line and column.
struct ProfileNode {
    enum Content {
        case null
        /// The text as written, without its quotes.
        case scalar(String)
        case list([ProfileNode])
        case mapping([ProfileEntry])
    }

    var location: ProfileLocation
    var content: Content

    /// The word for this kind of node in a message.
    var kind: String {
        switch content {
        case .null: "nothing"
        case .scalar: "a single value"
        case .list: "a list"
        case .mapping: "a mapping"
        }
    }
}

/// One key of a mapping with its value.
struct ProfileEntry {
    var key: String
    var keyLocation: ProfileLocation
    var value: ProfileNode
}

/// Bounds on what a profile may be, so that no file exhausts memory or the stack.
enum ProfileTree {
    static let largestText = 1 << 20
    static let mostNodes = 50_000
    static let deepest = 32
}
