package import AdServing
import Glibc
package import HLS
package import LoadProfile

/// What each live URL answered lately on this loop, already parsed.
///
/// Thousands of viewers receive identical bodies: a body equal to a known one costs one comparison, only news is parsed.
/// Confined to its loop.
final class PlaylistCache {
    /// Place of a URL in the cache; stays valid for the life of the cache.
    typealias Place = Int

    /// Edges of a CDN may answer with a few versions by turns; more are forgotten, oldest first.
    private static let keptVersions = 4

    private struct Entry {
        let url: String
        var versions: [SharedPlaylist] = []
    }

    private let announcements: AnnouncedBreaks?
    private var places: [String: Place] = [:]
    private var entries: [Entry] = []
    private var multivariants: [String: (body: [UInt8], playlist: MultivariantPlaylist)] = [:]
    private var nextVersion = 1
    /// Bodies that were parsed, and those that were equal to a known one.
    private(set) var parsed = 0
    private(set) var recognised = 0

    init(announcements: AnnouncedBreaks?) {
        self.announcements = announcements
    }

    /// The place of a URL, made at its first use.
    func place(of url: String) -> Place {
        if let place = self.places[url] {
            return place
        }
        self.entries.append(Entry(url: url))
        self.places[url] = self.entries.count - 1
        return self.entries.count - 1
    }

    /// The media playlist in a body that a URL answered with.
    func media(_ body: UnsafeRawBufferPointer, at place: Place) throws(PlaylistError) -> SharedPlaylist {
        if let known = self.entries[place].versions.last(where: { $0.playlist.text.equals(body) }) {
            self.recognised += 1
            return known
        }
        self.parsed += 1
        guard case .media(let playlist) = try Playlist.parse(body) else {
            throw PlaylistError(
                code: .notAPlaylist,
                line: 1,
                detail: "a multivariant playlist where a media playlist was"
            )
        }
        return self.keep(playlist, at: place)
    }

    /// Whatever playlist the content URL answers with: the choice of variants, or the one media playlist itself.
    func content(_ body: UnsafeRawBufferPointer, url: String) throws(PlaylistError) -> Content {
        if let known = self.multivariants[url], known.body.equals(body) {
            self.recognised += 1
            return .multivariant(known.playlist)
        }
        self.parsed += 1
        switch try Playlist.parse(body) {
        case .multivariant(let playlist):
            self.multivariants[url] = (Array(body), playlist)
            return .multivariant(playlist)
        case .media:
            return .media(try self.media(body, at: self.place(of: url)))
        }
    }

    enum Content {
        case multivariant(MultivariantPlaylist)
        case media(SharedPlaylist)
    }

    private func keep(_ playlist: MediaPlaylist, at place: Place) -> SharedPlaylist {
        let shared = SharedPlaylist(
            version: self.nextVersion,
            playlist: playlist,
            announced: self.announcements?.breaks(in: playlist) ?? [],
            url: self.entries[place].url
        )
        self.nextVersion += 1
        if self.entries[place].versions.count == Self.keptVersions {
            self.entries[place].versions.removeFirst()
        }
        self.entries[place].versions.append(shared)
        return shared
    }
}

extension [UInt8] {
    fileprivate func equals(_ body: UnsafeRawBufferPointer) -> Bool {
        guard self.count == body.count else { return false }
        guard let other = body.baseAddress else { return true }
        return self.withUnsafeBytes { own in
            own.baseAddress.map { memcmp($0, other, own.count) == 0 } ?? true
        }
    }
}

/// Reads the breaks that a live playlist announces by EXT-X-DATERANGE.
package struct AnnouncedBreaks: Sendable {
    /// nil takes the ranges that carry SCTE35-OUT.
    private let classAttribute: String?
    private let fallbackDuration: Duration

    package init(classAttribute: String?, fallbackDuration: Duration) {
        self.classAttribute = classAttribute
        self.fallbackDuration = fallbackDuration
    }

    /// nil for a plan whose breaks come from elsewhere.
    package init?(_ plan: BreakPlan) {
        guard case .dateRange(let classAttribute) = plan.source else { return nil }
        self.init(classAttribute: classAttribute, fallbackDuration: plan.podDuration)
    }

    /// The announced breaks by their start.
    package func breaks(in playlist: MediaPlaylist) -> [ScheduledBreak] {
        playlist.dateRanges.compactMap(self.scheduled).sorted { $0.start < $1.start }
    }

    private func scheduled(_ range: DateRange) -> ScheduledBreak? {
        let isBreak = self.classAttribute.map { $0 == range.classAttribute } ?? (range.scte35Out != nil)
        guard isBreak, let start = range.startDate else { return nil }
        return ScheduledBreak(
            start: start,
            duration: range.duration ?? range.plannedDuration ?? self.fallbackDuration,
            key: range.id,
            ordinal: Self.trailingNumber(of: range.id) ?? 1,
            dateRangeID: range.id
        )
    }

    private static func trailingNumber(of id: String) -> Int? {
        let digits = id.utf8.reversed().prefix { $0 >= 0x30 && $0 <= 0x39 }
        return digits.isEmpty ? nil : Int(String(decoding: digits.reversed(), as: UTF8.self))
    }
}
