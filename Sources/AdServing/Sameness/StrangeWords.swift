/// Digests of words in a text that may be sessions of viewers in another process of the run.
package struct StrangeWords: Equatable, Sendable {
    package static let none = StrangeWords([])

    /// Limit, above the words of any pod; of more, the smallest digests are kept.
    static let most = 256

    /// Ascending.
    package private(set) var digests: [UInt64]
    /// Above this digest, the list is incomplete.
    package private(set) var reach = UInt64.max

    init(_ digests: some Sequence<UInt64>) {
        self.digests = Set(digests).sorted()
        keepMost()
    }

    package mutating func formUnion(_ other: StrangeWords) {
        guard other != .none else { return }
        reach = min(reach, other.reach)
        digests = Set(digests).union(other.digests).filter { $0 <= reach }.sorted()
        keepMost()
    }

    private mutating func keepMost() {
        guard digests.count > Self.most else { return }
        digests.removeLast(digests.count - Self.most)
        reach = digests.last ?? reach
    }
}
