/// The reason why a viewer that was not due did not show a break; counted apart from failures.
package enum SkipReason: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
    case pictureInPictureLost = "picture_in_picture_lost"
    case pictureInPictureDeferred = "picture_in_picture_deferred"
    case leftBefore = "left_before"
    /// The viewer began to watch after the break had begun.
    case joinedLate = "joined_late"
    /// The ads of the previous break were still playing.
    case duringAds = "during_ads"
    /// The viewer sought forward over it.
    case jumpedOver = "jumped_over"
}
