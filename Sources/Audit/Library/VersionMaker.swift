import AdServing
import HLS
import Viewer

/// Creates numbered versions of playlists with the facts that all viewers need.
struct VersionMaker {
    private let announcements: AnnouncedBreaks?
    private let interstitials: InterstitialReader?
    private let scheduled: ScheduledAnnouncements?
    private let sessions: GivenSessions
    private let staleAfterTargets: Double
    private let account: (any MemoryAccount)?
    private var next = 1

    init(
        announcements: AnnouncedBreaks?,
        interstitials: InterstitialReader?,
        scheduled: ScheduledAnnouncements?,
        sessions: GivenSessions,
        staleAfterTargets: Double,
        account: (any MemoryAccount)?
    ) {
        self.announcements = announcements
        self.interstitials = interstitials
        self.scheduled = scheduled
        self.sessions = sessions
        self.staleAfterTargets = staleAfterTargets
        self.account = account
    }

    mutating func version(
        of playlist: consuming MediaPlaylist,
        body: [UInt8],
        url: String,
        sight: PlaylistSight,
        isMerged: Bool = false,
        mismatch: DeltaMismatch? = nil
    ) -> SharedPlaylist {
        defer { next += 1 }
        let announced = announcements?.breaks(in: playlist) ?? []
        // A delta update says nothing of what it leaves out.
        let isDelta = playlist.skippedSegments > 0
        let schedule = isDelta ? nil : interstitials?.schedule(in: playlist, url: url)
        let audience =
            isDelta
            ? .none
            : AudienceFacts(
                playlist,
                announced: scheduled?.breaks(in: playlist) ?? announced,
                schedule: schedule,
                sessions: sessions
            )
        return SharedPlaylist(
            version: next,
            playlist: playlist,
            announced: announced,
            url: url,
            schedule: schedule,
            body: body,
            sight: sight,
            isMerged: isMerged,
            mismatch: mismatch,
            audience: audience,
            staleAfterTargets: staleAfterTargets,
            account: account
        )
    }
}
