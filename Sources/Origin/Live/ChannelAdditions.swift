import HLS

/// What is put into the live channel's media playlists besides its own segments and breaks.
///
/// Every answer is a pure function of the request. So a version of a playlist is made once and shared, and a later
/// version never contradicts an earlier one.
protocol ChannelAdditions: Sendable {
    /// The date ranges that a version lists, in playlist order; the same for all renditions (bis-22 6.2.4).
    func dateRanges(in version: ListedWindow) -> [DateRange]

    /// What replaces a segment or stands before it; nil leaves the channel's own.
    ///
    /// `view` is what `view(viewer:aim:effects:)` gave for whoever asks.
    func segment(_ number: UInt64, of rendition: LiveRendition, view: UInt64) -> AddedSegment?

    /// How many discontinuity tags stand before segments with lower numbers, since the channel's zero.
    func discontinuities(before number: UInt64) -> UInt64

    /// Names the version that a viewer gets where viewers get different ones; 0 is the one for everybody.
    ///
    /// `aim` tells whom the viewer's session said that it is one of.
    func view(viewer: UInt64, aim: () -> PodAim, effects: FaultEffects?) -> UInt64
}

extension ChannelAdditions {
    func dateRanges(in version: ListedWindow) -> [DateRange] { [] }
    func segment(_ number: UInt64, of rendition: LiveRendition, view: UInt64) -> AddedSegment? { nil }
    func discontinuities(before number: UInt64) -> UInt64 { 0 }
    func view(viewer: UInt64, aim: () -> PodAim, effects: FaultEffects?) -> UInt64 { 0 }
}

/// The segments that a version of a playlist lists, and when that version appeared.
struct ListedWindow: Sendable, Equatable {
    let timeline: ChannelTimeline
    let segments: ClosedRange<UInt64>
    /// The end of the last listed media, segment or part: the live edge, and the instant the version was published.
    let edge: WallTime

    /// Program date of the first listed segment.
    var start: WallTime { timeline.programDate(of: segments.lowerBound) }
}

/// A segment as an addition wants it listed.
struct AddedSegment: Sendable, Equatable {
    /// URI without its suffix (`.m4s`, and `.{part}.m4s` for parts counted from 0), absolute or relative to the media
    /// playlist; nil keeps the channel's own media.
    var stem: String?
    /// URI of the initialization section that belongs to `stem`.
    var map: String?
    /// Whether EXT-X-DISCONTINUITY stands before it.
    var isDiscontinuity = false
    /// Whole lines before the segment, such as cue tags.
    var otherTags: [String] = []
}
