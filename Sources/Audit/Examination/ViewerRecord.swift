import Results
import Rules
import Values
import Viewer

/// An object, so that no access to one field copies or moves the others; confined to its loop.
package final class ViewerRecord {
    var playlist: RenditionPlaylist?
    /// Audio and subtitle playlists.
    var renditions: [RenditionPlaylist] = []
    /// Near or in progress.
    var current: BookedBreak?
    /// Answers may still come.
    var former: BookedBreak?
    /// The loop's number for the cohort; nil before the first use.
    var cohort: Int?
    /// Nil if pods are not compared.
    var pod: PodInHand?
    var filled: [FilledBreak] = []
    /// Microseconds since the Unix epoch.
    private var listed: [Int64] = []
    /// The viewer watched past these breaks, which no playlist announced to it.
    private var missed: [(key: String, start: Int64)] = []
    /// Findings above advice so far.
    package internal(set) var findings: UInt32 = 0
    var unavailable: [(slot: BreakSlot, url: String, problem: String)] = []
    /// Nil if media ids are not read.
    var adSegment: AdSegmentRequest?
    /// URL hash of an ad's last loaded initialisation section.
    var adInitialization: UInt64?
    /// Keyed by the finding that each failure may become; `problem` is redacted.
    var unreached: [FindingCode: (url: String, problem: String, served: ServedBy)] = [:]
    /// Nil if small.
    var metadataMemory: KeptMemory?
    var listMemory: KeptMemory?

    package init() {}

    /// More than are in sight at a time.
    private static let keptBreaks = 16

    func list(_ start: Int64) {
        guard !listed.contains(start) else { return }
        listed.append(start, atMost: Self.keptBreaks)
    }

    /// In microseconds since the Unix epoch.
    package func isTold(of start: Int64, within slack: Int64) -> Bool {
        listed.contains { ($0 &- start).magnitude <= UInt64(slack) }
    }

    package func hasMissed(_ key: String) -> Bool { missed.contains { $0.key == key } }

    package func miss(_ key: String, start: Int64) { missed.append((key, start), atMost: Self.keptBreaks) }

    /// Nothing is known of a break before everything that is remembered.
    package func hasForgotten(_ start: Int64) -> Bool {
        (listed.count >= Self.keptBreaks && listed.allSatisfy { start < $0 })
            || (missed.count >= Self.keptBreaks && missed.allSatisfy { start < $0.start })
    }

    subscript(rendition: PlayedRendition) -> RenditionPlaylist? {
        get { rendition == .video ? playlist : renditions.first { $0.rendition == rendition } }
        set {
            if rendition == .video {
                playlist = newValue
            } else {
                renditions.removeAll { $0.rendition == rendition }
                if let newValue { renditions.append(newValue) }
            }
        }
    }

    func release(in library: PlaylistLibrary) {
        for kept in [playlist].compactMap(\.self) + renditions { library.release(kept.known) }
        (playlist, renditions) = (nil, [])
    }

    func renditions(of known: KnownPlaylist) -> [PlayedRendition] {
        (playlist?.known === known ? [.video] : []) + renditions.filter { $0.known === known }.map(\.rendition)
    }

    func watch(_ rendition: PlayedRendition) -> RenditionWatch {
        if let known = self[rendition]?.watch { return known }
        let watch = RenditionWatch()
        self[rendition]?.watch = watch
        return watch
    }

    func endWatchIfSettled(_ rendition: PlayedRendition) {
        guard let watch = self[rendition]?.watch, watch.course.isSettled, watch.staleSince == nil else { return }
        self[rendition]?.watch = nil
    }
}

struct BookedBreak {
    let planned: PlannedBreak
    let slot: BreakSlot
}

struct RenditionPlaylist {
    let rendition: PlayedRendition
    /// Another generation has another URL.
    let generation: UInt8
    let known: KnownPlaylist
    /// Nil for nearly every viewer.
    var watch: RenditionWatch?
}

/// Memory of a playlist that broke a rule lately.
///
/// An object, so that viewers without one need no memory for it.
final class RenditionWatch {
    var course = VersionCourse<SharedPlaylist>()
    /// The standstill was already reported.
    var staleSince: Instant?
}
