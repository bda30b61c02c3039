/// The reload interval of a live media playlist.
package struct ReloadRule: Hashable, Sendable {
    /// Delay after a load that brought something new.
    package enum Basis: String, Hashable, Sendable, CaseIterable {
        /// The duration of the last segment listed: bis-22 section 6.3.4.
        case lastSegmentDuration
        /// The target duration: RFC 8216 section 6.3.4.
        case targetDuration
    }

    /// Lower limit, so that a playlist of empty segments is not requested without a pause.
    private static let shortestDelayNanoseconds: Int64 = 100_000_000

    package var basis: Basis

    package init(basis: Basis = .lastSegmentDuration) {
        self.basis = basis
    }

    /// The least time from the moment when the last load *began* to the next load.
    ///
    /// Half the target duration when that load brought nothing new. Call ``isReloaded(_:)`` first.
    package func delay(after playlist: MediaPlaylist, changed: Bool) -> Duration {
        .nanoseconds(delayNanoseconds(after: playlist, changed: changed))
    }

    /// Clamped to Int64.
    package func delayNanoseconds(after playlist: borrowing MediaPlaylist, changed: Bool) -> Int64 {
        let target = playlist.targetDurationNanoseconds
        guard changed else {
            return max(target / 2, Self.shortestDelayNanoseconds)
        }
        switch basis {
        case .lastSegmentDuration:
            let last = playlist.segments.last?.durationMicroseconds.multipliedClamped(by: 1_000)
            return max(last ?? target, Self.shortestDelayNanoseconds)
        case .targetDuration:
            return max(target, Self.shortestDelayNanoseconds)
        }
    }

    /// Whether the playlist can change at all: not with EXT-X-ENDLIST and not as VOD (RFC 8216 section 6.3.4).
    package static func isReloaded(_ playlist: MediaPlaylist) -> Bool {
        !playlist.hasEndList && playlist.playlistType != .vod
    }
}
