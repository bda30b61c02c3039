/// Words of a text that may be sessions which another process of the run was given, as digests.
package struct StrangeWords: Equatable, Sendable {
    package static let none = StrangeWords([])

    /// More than any pod has; of a text with more, those with the smallest digests are kept.
    static let most = 256

    /// In their order, each once.
    package private(set) var digests: [UInt64]
    /// Words with greater digests are not all here.
    package private(set) var reach = UInt64.max

    init(_ digests: some Sequence<UInt64>) {
        self.digests = Set(digests).sorted()
        keepMost()
    }

    /// Adds those of another text.
    ///
    /// - Parameter other: Of the same answer.
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
