package struct ProfileNode {
    package enum Content {
        case null
        /// The text as written, without its quotes.
        case scalar(String)
        case list([ProfileNode])
        case mapping([ProfileEntry])
    }

    package var location: ProfileLocation
    package var content: Content

    package var kind: String {
        switch content {
        case .null: "nothing"
        case .scalar: "a single value"
        case .list: "a list"
        case .mapping: "a mapping"
        }
    }
}

package struct ProfileEntry {
    package var key: String
    package var keyLocation: ProfileLocation
    package var value: ProfileNode
}

/// Limits that keep a file from exhausting memory or the stack.
package enum ProfileTree {
    package static let largestText = 1 << 20
    static let mostNodes = 50_000
    static let deepest = 32
}
