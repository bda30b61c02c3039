import Audience
import Conformance
import Recording
import Rulebook
import Time

/// What the audit remembers of one viewer between its answers; who holds it looks at nothing in it.
///
/// Confined to its loop. An object, so that no access to one field copies or moves the others.
package final class ViewerRecord {
    /// Index of the playlist's URL in the library; -1 before the first.
    var playlistIndex: Int32 = -1
    /// Which of the viewer's playlists that is: another generation has another URL.
    var playlistGeneration: UInt8 = 0
    /// The same for the audio and subtitle playlists; empty for a viewer that plays neither.
    var renditions: [RenditionIndex] = []
    /// What is remembered of playlists that broke a rule lately; empty for nearly every viewer.
    var watches: [RenditionWatch] = []
    /// The viewer's own break that is near or goes on.
    var current: BookedBreak?
    /// The break before it, of which answers may still come.
    var former: BookedBreak?
    /// The loop's number for the viewer's cohort; -1 before anybody asked for it.
    var cohort: Int32 = -1
    /// What it was given for this break's pod; nil where nobody's pod is compared.
    var pod: PodInHand?
    /// What it was given for its last breaks.
    var filled: [FilledBreak] = []
    /// Starts of the breaks that its playlists listed, the newest, in microseconds since the Unix epoch.
    private var listed: [Int64] = []
    /// Breaks that it watched past without being told of them, the newest.
    private var missed: [(key: String, start: Int64)] = []
    /// Findings above advice that this viewer's answers gave so far.
    package internal(set) var findings: UInt32 = 0
    /// Why the pods of breaks that are not over are not there, while nothing else came.
    var unavailable: [Unavailability] = []
    /// The part of an ad that is being loaded; nil where none is, or where nobody reads what ads carry.
    var adSegment: AdSegmentRequest?
    /// The initialisation section of an ad that was loaded last, by its address.
    var adInitialization: UInt64?
    /// The last answer to its registration, and to a request for its channel before it watched, where it was none: by the
    /// finding that it may come to.
    var unreached: [FindingCode: Unreached] = [:]
    /// What its metadata and its asset list take, where that is much.
    var metadataMemory: KeptMemory?
    var listMemory: KeptMemory?

    package init() {}

    // MARK: Breaks that were listed

    /// More than are in sight at a time.
    private static let keptBreaks = 16

    func list(_ start: Int64) {
        guard !listed.contains(start) else { return }
        if listed.count >= Self.keptBreaks { listed.removeFirst() }
        listed.append(start)
    }

    /// Whether it was told of a break that starts so near to a moment, in microseconds since the Unix epoch.
    package func isTold(of start: Int64, within slack: Int64) -> Bool {
        listed.contains { ($0 &- start).magnitude <= UInt64(slack) }
    }

    package func hasMissed(_ key: String) -> Bool { missed.contains { $0.key == key } }

    package func miss(_ key: String, start: Int64) {
        if missed.count >= Self.keptBreaks { missed.removeFirst() }
        missed.append((key, start))
    }

    /// Whether a break starts before all that it remembers, so that nothing is known of it any more.
    package func hasForgotten(_ start: Int64) -> Bool {
        (listed.count >= Self.keptBreaks && listed.allSatisfy { start < $0 })
            || (missed.count >= Self.keptBreaks && missed.allSatisfy { start < $0.start })
    }

    /// The renditions whose playlists the library keeps at an index.
    func renditions(at index: PlaylistLibrary.Index) -> [PlayedRendition] {
        (Int(playlistIndex) == index ? [.video] : []) + renditions.filter { $0.index == index }.map(\.rendition)
    }

    // MARK: Watches

    func isWatching(_ rendition: PlayedRendition, generation: UInt8) -> Bool {
        watches.first { $0.rendition == rendition }.map { $0.generation == generation } ?? false
    }

    /// Where a rendition's memory is; made where there is none.
    func watch(_ rendition: PlayedRendition, generation: UInt8) -> Int {
        if let known = watches.firstIndex(where: { $0.rendition == rendition }) {
            guard watches[known].generation != generation else { return known }
            watches.remove(at: known)
        }
        watches.append(RenditionWatch(rendition: rendition, generation: generation))
        return watches.count - 1
    }

    /// Forgets a playlist that is back in order.
    func endWatchIfSettled(_ index: Int) {
        guard watches[index].course.isSettled, watches[index].staleSince == .distantPast else { return }
        watches.remove(at: index)
    }
}

/// A break of a viewer, and the number under which the measurement keeps it.
struct BookedBreak {
    let planned: PlannedBreak
    let slot: Int32
}

/// Where the library keeps a rendition's playlists.
struct RenditionIndex {
    let rendition: PlayedRendition
    let generation: UInt8
    let index: PlaylistLibrary.Index
}

/// What is remembered of one of a viewer's playlists after it broke a rule.
struct RenditionWatch {
    let rendition: PlayedRendition
    /// Of the viewer's playlist: another one has another URL, and nothing in common with this.
    let generation: UInt8
    var course = VersionCourse<SharedPlaylist>()
    /// The standstill that was found already, by its beginning; the distant past: none.
    var staleSince = Instant.distantPast
}

/// The last answer to a request for a pod manifest or asset list, where it was none.
struct Unavailability {
    /// Of the break.
    let slot: Int32
    let url: String
    let problem: String
}

/// An answer that kept a viewer from joining.
struct Unreached {
    let url: String
    /// The status or the outcome; redacted.
    let problem: String
    let served: ServedBy
}
