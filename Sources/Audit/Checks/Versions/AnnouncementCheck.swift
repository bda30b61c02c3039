import AdServing
import HLS
import Recording
import Transport
import Values
import Viewer

/// Records announcements of breaks in playlists, to compare them between viewers.
struct AnnouncementCheck: VersionCheck {
    let breaks: KnownBreaks

    func examine(_ version: borrowing GivenVersion, _ examination: borrowing Examination) {
        guard version.isNew, version.rendition == .video else { return }
        let shared = version.shared
        if version.latest?.audience.digest != shared.audience.digest {
            observe(shared, after: version.latest, examination.viewer, at: examination.answer.doneAt)
        }
        for slot in breaks.lacking(shared, at: version.index) {
            examination.viewer.context.recorder.breakLacked(
                slot,
                viewer: examination.viewer.number,
                wallMicroseconds: examination.viewer.wallMicroseconds(examination.answer.doneAt),
                evidence: Evidence(
                    url: examination.viewer.redacted(shared.url),
                    expected: "the break's date range, as in other answers of this playlist",
                    observed: "a playlist over the break without it",
                    served: examination.answer.servedBy(own: examination.viewer.facts.streamID)
                )
            )
        }
    }

    /// Records the breaks whose announcement differs from the viewer's version before.
    private func observe(
        _ shared: SharedPlaylist,
        after latest: SharedPlaylist?,
        _ viewer: borrowing AuditedViewer,
        at now: Instant
    ) {
        let playlist = SharedName.playlist(shared.url)
        let wall = viewer.context.plan.timebase.wall(at: now)
        for notice in shared.audience.notices {
            viewer.record.list(notice.scheduled.start.microseconds)
            let before = latest?.audience.notices.first { $0.scheduled.key == notice.scheduled.key }
            guard before != notice else { continue }
            let announced = breaks.announced(notice, now: wall, slot: viewer.slot(of: notice, in: shared))
            guard let slot = announced, !notice.attributes.isEmpty, before?.fingerprint != notice.fingerprint else {
                continue
            }
            viewer.context.recorder.breakAnnounced(
                slot,
                fingerprint: Self.fingerprint(notice, in: playlist),
                viewer: viewer.number,
                wallMicroseconds: wall.microseconds,
                url: viewer.redacted(shared.url),
                announcement: Announcement(
                    playlist: Redaction.url(playlist, own: nil),
                    attributes: Redaction.attributes(notice.attributes, own: viewer.facts.streamID),
                    times: notice.times
                )
            )
        }
    }

    private static func fingerprint(_ notice: BreakNotice, in playlist: String) -> UInt64 {
        playlist.utf8.reduce(notice.fingerprint) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
