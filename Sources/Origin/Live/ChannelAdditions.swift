import HLS

/// Additions to the live channel's media playlists besides its own segments and breaks.
///
/// Every result is a pure function of the request, so that a version of a playlist is made once and shared, and no later
/// version contradicts it.
protocol ChannelAdditions: Sendable {
    /// Date ranges of a version in playlist order; equal for all renditions (bis-22 6.2.4).
    func dateRanges(in version: ListedWindow) -> [DateRange]

    /// Replacement of a segment or tags before it; nil leaves the channel's own.
    ///
    /// `view` is the result of `view(viewer:aim:effects:)`.
    func segment(_ number: UInt64, of rendition: LiveRendition, view: UInt64) -> AddedSegment?

    /// Number of discontinuity tags before segments with lower numbers, since the channel's zero.
    func discontinuities(before number: UInt64) -> UInt64

    /// Key of a viewer's version; 0 is the common one.
    func view(viewer: UInt64, aim: () -> PodAim, effects: FaultEffects?) -> UInt64
}

extension ChannelAdditions {
    func dateRanges(in version: ListedWindow) -> [DateRange] { [] }
    func segment(_ number: UInt64, of rendition: LiveRendition, view: UInt64) -> AddedSegment? { nil }
    func discontinuities(before number: UInt64) -> UInt64 { 0 }
    func view(viewer: UInt64, aim: () -> PodAim, effects: FaultEffects?) -> UInt64 { 0 }
}

struct ListedWindow: Sendable, Equatable {
    let timeline: ChannelTimeline
    let segments: ClosedRange<UInt64>
    /// The end of the last listed media, segment or part: the live edge, and the instant of publication.
    let edge: WallTime

    var start: WallTime { timeline.programDate(of: segments.lowerBound) }
}

struct AddedSegment: Sendable, Equatable {
    /// URI without its suffix (`.m4s`, and `.{part}.m4s` for parts counted from 0), absolute or relative to the media playlist;
    /// nil keeps the channel's own media.
    var stem: String?
    /// URI of the initialization section for `stem`.
    var map: String?
    var isDiscontinuity = false
    /// Whole lines before the segment, such as cue tags.
    var otherTags: [String] = []
}
