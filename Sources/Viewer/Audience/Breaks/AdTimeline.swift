package import AdServing
package import HLS
import Synchronization
package import Values

/// Ads of a pod: the runs of segments between discontinuities.
package struct AdTimeline: Sendable, Equatable {
    package struct Ad: Sendable, Equatable {
        /// From the start of the pod.
        package var offsetMicroseconds: Int64
        package var durationMicroseconds: Int64

        package var endMicroseconds: Int64 { offsetMicroseconds &+ durationMicroseconds }
    }

    package private(set) var ads: [Ad] = []
    package let segmentCount: Int

    package init(_ playlist: MediaPlaylist) {
        segmentCount = playlist.segments.count
        var offset: Int64 = 0
        for (index, segment) in playlist.segments.enumerated() {
            if index == 0 || segment.isDiscontinuity {
                ads.append(Ad(offsetMicroseconds: offset, durationMicroseconds: 0))
            }
            offset &+= segment.durationMicroseconds
            ads[ads.count - 1].durationMicroseconds &+= segment.durationMicroseconds
        }
    }

    package var durationMicroseconds: Int64 { ads.last?.endMicroseconds ?? 0 }

    package var nanoseconds: Int64 { durationMicroseconds.multipliedClamped(by: 1000) }
}

extension MediaPlaylist {
    /// In a player's loading order: each segment's key, its map where it differs, then the segment; empty if there is nothing to
    /// load.
    func part(at index: Int) -> String? {
        let number = Self.segment(ofPart: index)
        guard segments.indices.contains(number) else { return nil }
        let segment = segments[number]
        guard !segment.isGap else { return "" }
        if Self.isKey(partAt: index) { return keyURI(at: number) ?? "" }
        guard !Self.isSegment(partAt: index) else { return uri(of: segment) }
        guard let map = segment.mapURI, number == 0 || segments[number - 1].mapURI != map else { return "" }
        return string(in: map)
    }

    static func segment(ofPart index: Int) -> Int { index / 3 }
    static func isKey(partAt index: Int) -> Bool { index % 3 == 0 }
    static func isSegment(partAt index: Int) -> Bool { index % 3 == 2 }
}

/// `url` is the base of its references.
package final class LoadedPod: Sendable {
    package let playlist: MediaPlaylist
    package let url: String
    package let content: AdTimeline
    private let memory: KeptMemory?

    package init(_ playlist: MediaPlaylist, url: String, account: BodyBudget? = nil) {
        (self.playlist, self.url) = (playlist, url)
        self.content = AdTimeline(playlist)
        self.memory = KeptMemory(playlist.keptBytes, account)
    }
}

/// `offset`: nanoseconds of its ad or break (SVTA 2053-2).
package struct DueBeacon: Sendable, Equatable {
    package var offset: Int64
    package var url: String

    private init(_ beacon: TrackingBeacon) {
        offset = beacon.offset.nanosecondsHeld
        url = beacon.url
    }

    /// Sorted by offset; empty if the length is unknown.
    package static func all(_ signaling: CreativeSignaling?, total: Duration?) -> [DueBeacon] {
        guard let signaling, let total else { return [] }
        return signaling.beacons(total: total).map(DueBeacon.init)
    }

    package static func ofAsset(_ asset: AssetList.Asset) -> [DueBeacon] {
        let signaled = asset.signaling?.beacons(ofAsset: asset.duration) ?? []
        return merged(signaled.map(DueBeacon.init), asset.beacons.map(DueBeacon.init))
    }

    /// Without those of single assets; `total` includes what a list omits for a viewer that joined inside.
    package static func ofList(_ list: AssetList, total: Duration) -> [DueBeacon] {
        merged(all(list.signaling, total: total), list.beacons.map(DueBeacon.init))
    }

    package static func merged(_ first: [DueBeacon], _ second: [DueBeacon]) -> [DueBeacon] {
        guard !first.isEmpty, !second.isEmpty else { return first + second }
        return (first + second).sorted { $0.offset < $1.offset }
    }
}

/// A loaded segment of a pod's ads, or of the programme.
package struct TimedSegment: Sendable {
    package let ad: Int
    /// From the pod's beginning; for the programme, its date.
    package let offsetMicroseconds: Int64
    package let durationMicroseconds: Int64
    package let mediaIDs: SegmentMediaIDs
    private var cues: [MediaIDCue]?
    private var met = 0

    /// Index as in `MediaPlaylist.part(at:)`; nil for an initialisation section.
    package init?(partAt part: Int, of pod: LoadedPod, mediaIDs: SegmentMediaIDs) {
        let segments = pod.playlist.segments
        let number = MediaPlaylist.segment(ofPart: part)
        guard MediaPlaylist.isSegment(partAt: part), segments.indices.contains(number) else { return nil }
        let offset = segments[..<number].reduce(Int64(0)) { $0.addingClamped($1.durationMicroseconds) }
        ad = pod.content.ads.lastIndex { $0.offsetMicroseconds <= offset } ?? 0
        offsetMicroseconds = offset
        durationMicroseconds = segments[number].durationMicroseconds
        self.mediaIDs = mediaIDs
    }

    init(ofProgramme dates: Range<WallTime>, _ mediaIDs: SegmentMediaIDs) {
        (ad, offsetMicroseconds, self.mediaIDs) = (0, dates.lowerBound.microseconds, mediaIDs)
        durationMicroseconds = dates.upperBound.microseconds &- dates.lowerBound.microseconds
    }

    /// Nil until read.
    var carriesIDs: Bool? { (cues ?? mediaIDs.cues).map { !$0.isEmpty } }

    var metIDs: [String] { (cues ?? []).prefix(met).map(\.mediaID) }

    /// Microseconds of the pod at which the next id is due; nil if none is left or known.
    var nextMicroseconds: Int64? {
        guard let known = cues ?? mediaIDs.cues, known.indices.contains(met) else { return nil }
        return place(of: known[met])
    }

    /// Ids that the playhead has passed since the last call.
    mutating func reached(_ positionMicroseconds: Int64) -> [String] {
        if cues == nil { cues = mediaIDs.cues }
        guard let cues else { return [] }
        let first = met
        while met < cues.count, place(of: cues[met]) <= positionMicroseconds { met += 1 }
        return cues[first..<met].map(\.mediaID)
    }

    /// Cues are clamped to their segment, whatever its clock says.
    private func place(of cue: MediaIDCue) -> Int64 {
        offsetMicroseconds.addingClamped(min(max(cue.offsetMicroseconds, 0), durationMicroseconds))
    }
}

package struct MediaIDCue: Sendable, Equatable {
    package let mediaID: String
    package let offsetMicroseconds: Int64

    package init(_ mediaID: String, offsetMicroseconds: Int64) {
        (self.mediaID, self.offsetMicroseconds) = (mediaID, offsetMicroseconds)
    }
}

/// Whether any ad segment read on a loop carried a media id, so that the others are expected to.
package final class CarriedMediaIDs: Sendable {
    private let areThere = Atomic(false)

    package init() {}

    package fileprivate(set) var areExpected: Bool {
        get { areThere.load(ordering: .relaxed) }
        set { areThere.store(newValue, ordering: .relaxed) }
    }
}

/// Shared by all viewers of a loop that play the segment; one of them reads it.
package final class SegmentMediaIDs: Sendable {
    private enum State {
        case unread
        case underWay
        /// Sorted by offset.
        case read([MediaIDCue])
    }

    private let state = Mutex(State.unread)
    private let carried: CarriedMediaIDs

    package init(_ carried: CarriedMediaIDs) { self.carried = carried }

    /// Nil until read.
    package var cues: [MediaIDCue]? { state.withLock { if case .read(let cues) = $0 { cues } else { nil } } }

    /// Whether ids should be awaited or missed: a viewer is reading, or other segments had some.
    package var areExpected: Bool {
        if carried.areExpected { return true }
        return state.withLock { if case .underWay = $0 { true } else { false } }
    }

    /// Whether the caller must read the segment, because no other viewer has or does.
    package func claim() -> Bool {
        state.withLock { state in
            guard case .unread = state else { return false }
            state = .underWay
            return true
        }
    }

    /// Undoes a claim if the segment cannot be read.
    package func release() { state.withLock { if case .underWay = $0 { $0 = .unread } } }

    package func tell(_ cues: [MediaIDCue]) {
        if !cues.isEmpty { carried.areExpected = true }
        let inOrder = cues.sorted { $0.offsetMicroseconds < $1.offsetMicroseconds }
        state.withLock { $0 = .read(inOrder) }
    }
}
