package import AdServing
package import HLS

/// One version of a live playlist, parsed once for all viewers of a loop.
///
/// The reference is confined to its loop in practice; it is immutable, so that sharing it is safe anyway. What each poll
/// asks of a version is computed once and kept beside it.
package final class SharedPlaylist: Sendable {
    /// Rises with each new version of any playlist on this loop.
    package let version: Int
    package let playlist: MediaPlaylist
    /// Breaks that the playlist announces, by start.
    package let announced: [ScheduledBreak]
    /// URL that the playlist's references resolve against.
    package let url: String
    private let body: [UInt8]
    private let endMediaSequence: UInt64
    private let isReloaded: Bool
    private let halfTarget: Int64
    private let wholeTarget: Int64
    private let lastSegment: Int64

    package init(version: Int, playlist: MediaPlaylist, announced: [ScheduledBreak], url: String) {
        self.version = version
        self.playlist = playlist
        self.announced = announced
        self.url = url
        self.body = playlist.text
        self.endMediaSequence = playlist.endMediaSequence
        self.isReloaded = ReloadRule.isReloaded(playlist)
        let byTarget = ReloadRule(basis: .targetDuration)
        let bySegment = ReloadRule(basis: .lastSegmentDuration)
        self.halfTarget = byTarget.delay(after: playlist, changed: false).nanosecondsHeld
        self.wholeTarget = byTarget.delay(after: playlist, changed: true).nanosecondsHeld
        self.lastSegment = bySegment.delay(after: playlist, changed: true).nanosecondsHeld
    }

    /// Whether this version brings anything new to a viewer that has `previous`; the first one does.
    package func isNews(after previous: SharedPlaylist?) -> Bool {
        guard let previous else { return true }
        guard self.version != previous.version else { return false }
        return self.endMediaSequence != previous.endMediaSequence || self.playlist.isUpdate(of: previous.playlist)
    }

    /// Nanoseconds from the start of the load that brought this version to the next; nil when it is not loaded again.
    package func reloadDelay(_ basis: ReloadRule.Basis, isNews: Bool) -> Int64? {
        guard self.isReloaded else { return nil }
        guard isNews else { return self.halfTarget }
        switch basis {
        case .lastSegmentDuration: return self.lastSegment
        case .targetDuration: return self.wholeTarget
        }
    }

    /// Whether an answer is this version, byte for byte.
    func isBody(_ bytes: UnsafeRawBufferPointer) -> Bool { self.body.equals(bytes) }

    /// The same version as another URL answers it; nothing is parsed again.
    func based(on base: String?) -> SharedPlaylist {
        guard let base, base != self.url else { return self }
        return SharedPlaylist(version: self.version, playlist: self.playlist, announced: self.announced, url: base)
    }
}

/// A multivariant playlist, parsed once for all viewers of a loop.
package final class SharedMultivariant: Sendable {
    package let playlist: MultivariantPlaylist
    /// The variants' absolute URLs, in the playlist's order: one text for all who choose the same; nil for those that
    /// lead nowhere.
    let variantURLs: [String?]

    package init(_ playlist: MultivariantPlaylist, url: String) {
        self.playlist = playlist
        self.variantURLs = playlist.variants.map { URLReference.resolve($0.uri, against: url) }
    }
}
