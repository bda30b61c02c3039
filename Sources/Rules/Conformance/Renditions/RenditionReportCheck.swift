import HLS

/// Checks what low-latency playlists report about each other (bis-22 section 4.4.5.4 and appendix B.1).
struct RenditionReportCheck {
    private let playlist: MediaPlaylist
    /// The playlist's address is their own.
    private let addresses: RenditionAddresses
    private let name: String

    /// Target durations; the playlist is loaded up to two of them after the reference.
    private static let allowedTargets: Int64 = 3
    private static let targetsBetween: Int64 = 2

    /// Without addresses, the two may be one playlist.
    ///
    /// Appendix B.1 binds the low-latency profile alone. Subtitles mostly have no parts, and players of key frames load none.
    static func violation(
        of playlist: MediaPlaylist,
        as kind: RenditionKind,
        beside reference: MediaPlaylist,
        at addresses: RenditionAddresses?
    ) -> Violation? {
        guard kind == .variant || kind == .audio, playlist.isOfLowLatency, reference.isOfLowLatency, let addresses,
            addresses.own != addresses.reference
        else { return nil }
        let between = allowedTargets + targetsBetween
        let own = RenditionReportCheck(playlist: playlist, addresses: addresses, name: "this playlist")
        let other = RenditionReportCheck(playlist: reference, addresses: addresses.reversed, name: "the first variant")
        return own.missingReport ?? other.missingReport
            ?? own.wrongReport(of: reference, behind: allowedTargets, ahead: between)
            ?? other.wrongReport(of: playlist, behind: between, ahead: allowedTargets)
            ?? own.lackingReport ?? other.lackingReport
    }

    /// Some packagers report other playlists too, such as filtered ones.
    private var missingReport: Violation? {
        let url = addresses.own
        let own = RenditionAddresses.path(of: url, in: url)
        let others = Set(addresses.channel.filter { $0 != url }.compactMap { RenditionAddresses.path(of: $0, in: $0) })
        // A query may distinguish renditions of one path.
        let named = playlist.renditionReports.filter { report in
            let uri = playlist.string(in: report.uri)
            return uri.contains("?") || RenditionAddresses.path(of: uri, in: url) != own
        }
        let isAny =
            others.isEmpty
            ? !named.isEmpty
            : named.contains { report in
                RenditionAddresses.path(of: playlist.string(in: report.uri), in: url).map(others.contains) ?? false
                    || isSaved && others.contains { isNamed($0, by: report) }
            }
        guard !isAny, named.isEmpty || !others.isEmpty else { return nil }
        let reports = playlist.renditionReports
        let (observed, likely): (String, String?) =
            if let first = named.first {
                (
                    "\(name) reports \(playlist.string(in: first.uri)), but the multivariant playlist does not list it",
                    "The address in the report is that of the packager, and not that of its answers."
                )
            } else if reports.isEmpty {
                ("no rendition report in \(name), so players switch with a request more", nil)
            } else {
                ("\(name) reports only itself", nil)
            }
        let expected = "EXT-X-RENDITION-REPORT for each other playlist of the channel"
        let usual = "The packager that writes the reports knows one rendition only."
        return Violation(.partialSegmentInvalid, expected: expected, observed: observed, likely: likely ?? usual)
    }

    /// Advice: players that switch to the playlist make a request more.
    ///
    /// Only if each report names a playlist of the channel, so that no other form of its address is missed.
    private var lackingReport: Violation? {
        let (own, url) = (addresses.own, addresses.reference)
        let others = addresses.channel.filter { $0 != own }.compactMap { RenditionAddresses.path(of: $0, in: $0) }
        let named = playlist.renditionReports.map { RenditionAddresses.path(of: playlist.string(in: $0.uri), in: own) }
        guard let path = RenditionAddresses.path(of: url, in: url), Set(others).count == others.count,
            others.contains(path), !named.contains(path),
            named.allSatisfy({ $0.map(others.contains) ?? false })
        else { return nil }
        let expected = "EXT-X-RENDITION-REPORT for each other playlist of the channel"
        let observed = "no rendition report of \(url) in \(name), so players switch to it with a request more"
        let likely = "The packager that writes the reports does not know the rendition."
        return Violation(.playlistFormLoose, expected: expected, observed: observed, likely: likely)
    }

    /// Saved files may lie in other folders than their addresses.
    private var isSaved: Bool { !addresses.own.contains("://") }

    private func isNamed(_ path: String, by report: MediaPlaylist.RenditionReport) -> Bool {
        VersionChecks.isSamePlace(VersionChecks.path(playlist, report.uri), Array(path.utf8)[...])
    }

    private func wrongReport(of other: MediaPlaylist, behind: Int64, ahead: Int64) -> Violation? {
        let (own, url) = (addresses.own, addresses.reference)
        guard let path = RenditionAddresses.path(of: url, in: url) else { return nil }
        let reports = playlist.renditionReports.filter {
            RenditionAddresses.path(of: playlist.string(in: $0.uri), in: own) == path
                || isSaved && isNamed(path, by: $0)
        }
        // Without LAST-MSN the value is the playlist's own.
        guard reports.count == 1, let report = reports.first, let told = report.lastMediaSequence else { return nil }
        let last = other.lastMediaSequence
        guard !other.segments.isEmpty else { return nil }
        let mean = other.durationMicroseconds / Int64(other.segments.count)
        let isBehind = told < last
        let apart = Int64(clamping: isBehind ? last - told : told - last).multipliedClamped(by: mean)
        let target = Int64(other.targetDurationSeconds) &* 1_000_000
        guard apart > target &* (isBehind ? behind : ahead) else { return nil }
        let effect =
            isBehind ? "behind: players that switch request old segments" : "ahead, so players that switch wait"
        let late = "A cache keeps the playlist with the report, or the packager updates reports seldom."
        let likely = isBehind ? late : "The two renditions count their segments apart."
        let expected = "LAST-MSN=\(last) or nearly in the rendition report of \(playlist.string(in: report.uri))"
        let observed = "LAST-MSN=\(told), \(apart.secondsText) \(effect)"
        return Violation(.partialSegmentInvalid, expected: expected, observed: observed, likely: likely)
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
}
