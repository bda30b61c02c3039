package import AdServing

/// What came of a request of a break.
package struct BreakAnswer: Sendable {
    package enum Content: Sendable {
        case list(AssetList)
        case multivariant(SharedMultivariant)
        case media(LoadedPod)
        /// With what is known of the media ids in it; nil where nobody reads what ads carry.
        case segment(SegmentMediaIDs?)
        case failed(BreakLoadFailure)
        /// Counted and not read: the break is over, or the request was made to see whether it is answered alike.
        case unread
    }

    package let role: ViewerRole
    /// Of the break, as the request had it.
    package let serial: UInt16
    /// Of the asset; of an asset list, which attempt it was.
    package let index: UInt8
    package let content: Content

    package init(_ role: ViewerRole, serial: UInt16, index: UInt8 = 0, _ content: Content) {
        self.role = role
        self.serial = serial
        self.index = index
        self.content = content
    }
}
