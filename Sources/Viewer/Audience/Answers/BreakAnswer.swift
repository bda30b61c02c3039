package import AdServing

package struct BreakAnswer: Sendable {
    package enum Content: Sendable {
        case list(AssetList)
        case multivariant(SharedMultivariant)
        case media(LoadedPod)
        /// Nil if media ids of ads are not read.
        case segment(SegmentMediaIDs?)
        case failed(BreakLoadFailure)
        /// Counted and not read: the break is over, or the request was a repeat for comparison.
        case unread
    }

    package let role: ViewerRole
    package let serial: UInt16
    /// Index of the asset; for an asset list the number of the attempt.
    package let index: UInt8
    package let content: Content

    package init(_ role: ViewerRole, serial: UInt16, index: UInt8 = 0, _ content: Content) {
        self.role = role
        self.serial = serial
        self.index = index
        self.content = content
    }
}
