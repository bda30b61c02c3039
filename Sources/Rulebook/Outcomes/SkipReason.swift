/// Why a viewer did not show a break; counted apart from failures.
///
/// Only a viewer without a stream id was due all the same.
package enum SkipReason: String, CaseIterable, Sendable {
    case noStreamID = "no_stream_id"
    case pictureInPictureLost = "picture_in_picture_lost"
    case pictureInPictureDeferred = "picture_in_picture_deferred"
    case leftBefore = "left_before"
    case joinedLate = "joined_late"
    /// The ads of the break before were still playing.
    case duringAds = "during_ads"
    /// The viewer sought forward over it.
    case jumpedOver = "jumped_over"
}
