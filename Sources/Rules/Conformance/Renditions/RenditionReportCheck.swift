import HLS

/// Checks what low-latency playlists report about each other (bis-22 section 4.4.5.4 and appendix B.1).
enum RenditionReportCheck {
    /// Target durations that a report may be off: the playlist is loaded up to two of them after the reference.
    private static let allowedTargets: Int64 = 3
    private static let targetsBetween: Int64 = 2

    /// Without their addresses it is not known whether the two are one playlist, which needs no report of itself.
    ///
    /// Appendix B.1 binds servers of the low-latency profile alone. Subtitles have no parts with most of them, so that their
    /// reports are left out; who plays key frames loads no parts either.
    static func violation(
        of playlist: MediaPlaylist,
        as kind: RenditionKind,
        beside reference: MediaPlaylist,
        at addresses: RenditionAddresses?
    ) -> Violation? {
        guard kind != .subtitles, playlist.isOfLowLatency, reference.isOfLowLatency, let addresses,
            addresses.own != addresses.reference
        else { return nil }
        for (found, name) in [(playlist, "this playlist"), (reference, "the first variant")]
        where found.renditionReports.isEmpty {
            return Violation(
                .partialSegmentInvalid,
                expected: "EXT-X-RENDITION-REPORT for each other playlist of the channel",
                observed: "no rendition report in \(name), so players switch with a request more"
            )
        }
        return wrongReport(of: reference, at: addresses.reference, in: playlist, allowed: allowedTargets)
            ?? wrongReport(of: playlist, at: addresses.own, in: reference, allowed: allowedTargets + targetsBetween)
    }

    /// A report in one playlist that is far behind the other one, which is at `url`.
    private static func wrongReport(
        of other: MediaPlaylist,
        at url: String,
        in playlist: MediaPlaylist,
        allowed: Int64
    ) -> Violation? {
        let path = Array(url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        let reports = playlist.renditionReports.filter {
            !path.isEmpty && VersionChecks.isSamePlace(VersionChecks.path(playlist, $0.uri), path[...])
        }
        // Without LAST-MSN the value is the playlist's own.
        guard reports.count == 1, let report = reports.first, let told = report.lastMediaSequence else { return nil }
        let last = other.lastMediaSequence
        guard told < last, let mean = other.meanDuration else { return nil }
        let behind = Int64(clamping: last - told).multipliedClamped(by: mean)
        let target = Int64(other.targetDurationSeconds) &* 1_000_000
        guard behind > target &* allowed else { return nil }
        return Violation(
            .partialSegmentInvalid,
            expected: "LAST-MSN=\(last) or little less in the rendition report of \(playlist.string(in: report.uri))",
            observed: "LAST-MSN=\(told), \(behind.secondsText) behind, so players that switch ask for what is long over"
        )
    }
}

extension MediaPlaylist {
    fileprivate var isOfLowLatency: Bool {
        partTargetMicroseconds != nil && serverControl?.canBlockReload == true && !hasEndList
    }

    /// The number of the last segment, complete or not.
    fileprivate var lastMediaSequence: UInt64 {
        let hasMore = parts.last?.segmentIndex == segments.count
        return endMediaSequence > 0 && !hasMore ? endMediaSequence - 1 : endMediaSequence
    }

    fileprivate var meanDuration: Int64? { segments.isEmpty ? nil : durationMicroseconds / Int64(segments.count) }
}
