import Results
import Rules
import Values
import Viewer

/// Memory of the audit about one viewer between its answers; opaque to its owner.
///
/// Confined to its loop. An object, so that no access to one field copies or moves the others.
package final class ViewerRecord {
    /// Index of the playlist's URL in the library; nil before the first.
    var playlist: RenditionIndex?
    /// Indices of the audio and subtitle playlists; empty for a viewer that plays neither.
    var renditions: [RenditionIndex] = []
    /// Playlists that broke a rule lately; empty for nearly every viewer.
    var watches: [RenditionWatch] = []
    /// The viewer's own break that is near or in progress.
    var current: BookedBreak?
    /// The break before it, for which answers may still come.
    var former: BookedBreak?
    /// The loop's number for the viewer's cohort; nil before the first use.
    var cohort: Int?
    /// Pod of the current break; nil if pods are not compared.
    var pod: PodInHand?
    var filled: [FilledBreak] = []
    /// Starts of the newest listed breaks, in microseconds since the Unix epoch.
    private var listed: [Int64] = []
    /// The newest breaks that it watched past without being told of them.
    private var missed: [(key: String, start: Int64)] = []
    /// Findings above advice in this viewer's answers so far.
    package internal(set) var findings: UInt32 = 0
    /// Reasons why pods of unfinished breaks are unavailable, until another answer comes.
    var unavailable: [Unavailability] = []
    /// The ad segment in progress; nil if media ids are not read.
    var adSegment: AdSegmentRequest?
    /// URL hash of the last loaded initialisation section of an ad.
    var adInitialization: UInt64?
    /// Last failed registration, and last failed request for its channel before it watched, by the finding that each may
    /// become.
    var unreached: [FindingCode: Unreached] = [:]
    /// Memory of its metadata and asset list, if large.
    var metadataMemory: KeptMemory?
    var listMemory: KeptMemory?

    package init() {}

    // MARK: Breaks that were listed

    /// More than are in sight at a time.
    private static let keptBreaks = 16

    func list(_ start: Int64) {
        guard !listed.contains(start) else { return }
        listed.append(start, atMost: Self.keptBreaks)
    }

    /// Whether it was told of a break with a start within `slack`, in microseconds since the Unix epoch.
    package func isTold(of start: Int64, within slack: Int64) -> Bool {
        listed.contains { ($0 &- start).magnitude <= UInt64(slack) }
    }

    package func hasMissed(_ key: String) -> Bool { missed.contains { $0.key == key } }

    package func miss(_ key: String, start: Int64) {
        missed.append((key, start), atMost: Self.keptBreaks)
    }

    /// Whether a break starts before everything that is remembered, so that nothing is known of it any more.
    package func hasForgotten(_ start: Int64) -> Bool {
        (listed.count >= Self.keptBreaks && listed.allSatisfy { start < $0 })
            || (missed.count >= Self.keptBreaks && missed.allSatisfy { start < $0.start })
    }

    /// Renditions whose playlists the library keeps at an index.
    func renditions(at index: PlaylistLibrary.Index) -> [PlayedRendition] {
        (playlist?.index == index ? [.video] : []) + renditions.filter { $0.index == index }.map(\.rendition)
    }

    // MARK: Watches

    func isWatching(_ rendition: PlayedRendition, generation: UInt8) -> Bool {
        watches.first { $0.rendition == rendition }.map { $0.generation == generation } ?? false
    }

    func watch(_ rendition: PlayedRendition, generation: UInt8) -> Int {
        if let known = watches.firstIndex(where: { $0.rendition == rendition }) {
            guard watches[known].generation != generation else { return known }
            watches.remove(at: known)
        }
        watches.append(RenditionWatch(rendition: rendition, generation: generation))
        return watches.count - 1
    }

    /// Forgets a playlist without open violations.
    func endWatchIfSettled(_ index: Int) {
        guard watches[index].course.isSettled, watches[index].staleSince == nil else { return }
        watches.remove(at: index)
    }
}

/// A break of a viewer, with its slot in the measurement.
struct BookedBreak {
    let planned: PlannedBreak
    let slot: BreakSlot
}

struct RenditionIndex {
    let rendition: PlayedRendition
    /// Playlist generation; another one has another URL.
    let generation: UInt8
    let index: PlaylistLibrary.Index
}

/// Memory of one of a viewer's playlists after it broke a rule.
struct RenditionWatch {
    let rendition: PlayedRendition
    /// Playlist generation; another one has another URL and nothing in common with this.
    let generation: UInt8
    var course = VersionCourse<SharedPlaylist>()
    /// Beginning of the standstill that was already reported.
    var staleSince: Instant?
}

/// The last failed answer to a request for a pod manifest or asset list.
struct Unavailability {
    let slot: BreakSlot
    let url: String
    let problem: String
}

struct Unreached {
    let url: String
    /// Status or failure; redacted.
    let problem: String
    let served: ServedBy
}
