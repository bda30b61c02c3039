import AdServing
import HLS
import Time

/// A segment of a pod's ads that a viewer has loaded.
package struct TimedSegment: Sendable {
    /// Of the ad in the pod, from 0.
    package let ad: Int
    /// From the pod's beginning.
    package let offsetMicroseconds: Int64
    package let durationMicroseconds: Int64
    package let mediaIDs: SegmentMediaIDs
    private var cues: [MediaIDCue]?
    /// How many of the cues the playhead has come to.
    private var met = 0

    package init(ad: Int, offsetMicroseconds: Int64, durationMicroseconds: Int64, mediaIDs: SegmentMediaIDs) {
        self.ad = ad
        self.offsetMicroseconds = offsetMicroseconds
        self.durationMicroseconds = durationMicroseconds
        self.mediaIDs = mediaIDs
    }

    /// The segment that is a part of a pod, as `MediaPlaylist.part(at:)` counts them; nil for an initialisation section.
    package init?(partAt part: Int, of pod: LoadedPod, mediaIDs: SegmentMediaIDs) {
        let segments = pod.playlist.segments
        guard pod.playlist.isSegment(partAt: part), segments.indices.contains(part / 2) else { return nil }
        let offset = segments[..<(part / 2)].reduce(Int64(0)) { $0.addingClamped($1.durationMicroseconds) }
        self.init(
            ad: max(pod.content.ads.lastIndex { $0.offsetMicroseconds <= offset } ?? 0, 0),
            offsetMicroseconds: offset,
            durationMicroseconds: segments[part / 2].durationMicroseconds,
            mediaIDs: mediaIDs
        )
    }

    /// Whether it carries ids; nil while nobody has read it.
    var carriesIDs: Bool? { (cues ?? mediaIDs.cues).map { !$0.isEmpty } }

    /// The ids that the playhead has come to.
    var metIDs: [String] { (cues ?? []).prefix(met).map(\.mediaID) }

    /// When the playhead comes to the next id, in microseconds of the pod; nil where none is left or known.
    var nextMicroseconds: Int64? {
        guard let known = cues ?? mediaIDs.cues, known.indices.contains(met) else { return nil }
        return place(of: known[met])
    }

    /// The ids that the playhead has come to since it was asked last.
    mutating func reached(_ positionMicroseconds: Int64) -> [String] {
        if cues == nil { cues = mediaIDs.cues }
        guard let cues else { return [] }
        let first = met
        while met < cues.count, place(of: cues[met]) <= positionMicroseconds { met += 1 }
        return cues[first..<met].map(\.mediaID)
    }

    /// What a segment carries is for its own time, whatever its clock says.
    private func place(of cue: MediaIDCue) -> Int64 {
        offsetMicroseconds.addingClamped(min(max(cue.offsetMicroseconds, 0), durationMicroseconds))
    }
}

/// What metadata says of the ads of one pod, for ids that come from the ads themselves.
struct ListedAds: Sendable {
    /// Of the pod's ads alone.
    private let tags: [SessionMetadata.Tag]
    /// By place in the pod: whether it has any tag.
    private let haveTags: [Bool]

    init() {
        tags = []
        haveTags = []
    }

    init(_ metadata: SessionMetadata, of identifier: PodIdentifier) {
        let names = metadata.orderedAds(of: identifier)
        let own = Set(names)
        let tags = metadata.tags.filter { $0.adID.map(own.contains) ?? false }
        let tagged = Set(tags.compactMap(\.adID))
        self.tags = tags
        haveTags = names.map(tagged.contains)
    }

    var count: Int { haveTags.count }

    func hasTags(ofAd ad: Int) -> Bool { haveTags.indices.contains(ad) && haveTags[ad] }

    /// How many prefixes there are.
    var prefixes: Int { tags.count }

    /// The tag whose prefix a media id begins with; the longest where several match.
    func tag(matching mediaID: String) -> SessionMetadata.Tag? { tags.matching(mediaID) }
}
