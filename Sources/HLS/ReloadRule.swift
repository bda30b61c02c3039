/// When a live media playlist is to be loaded again.
package struct ReloadRule: Hashable, Sendable {
    /// What a client waits for after a load that brought something new.
    package enum Basis: String, Hashable, Sendable, CaseIterable {
        /// The duration of the last segment listed: bis-22 section 6.3.4.
        case lastSegmentDuration
        /// The target duration: RFC 8216 section 6.3.4.
        case targetDuration
    }

    /// No rule ever waits less, so that a playlist of empty segments is not asked for without a pause.
    package static let shortestDelay = Duration.milliseconds(100)

    package var basis: Basis

    package init(basis: Basis = .lastSegmentDuration) {
        self.basis = basis
    }

    /// The least time from the moment when the last load *began* to the next load.
    ///
    /// Half the target duration when that load brought nothing new. Ask ``isReloaded(_:)`` first.
    package func delay(after playlist: MediaPlaylist, changed: Bool) -> Duration {
        let targetDuration = Duration.seconds(playlist.targetDurationSeconds)
        guard changed else {
            return max(targetDuration / 2, Self.shortestDelay)
        }
        switch basis {
        case .lastSegmentDuration:
            return max(playlist.lastSegmentDuration ?? targetDuration, Self.shortestDelay)
        case .targetDuration:
            return max(targetDuration, Self.shortestDelay)
        }
    }

    /// Whether the playlist can change at all: not with EXT-X-ENDLIST and not as VOD (RFC 8216 section 6.3.4).
    package static func isReloaded(_ playlist: MediaPlaylist) -> Bool {
        !playlist.hasEndList && playlist.playlistType != .vod
    }
}
