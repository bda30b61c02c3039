import Audience
import Breaks
import HLS
import LoadProfile
import Players
import Rulebook
import Time

/// The sources that one viewer's breaks come from, by what its plan says.
///
/// A new source of own breaks is a case of `Own`, and a branch in each switch over `Own`.
struct BreakFeeds: Sendable {
    /// The viewer's own pods: from one source.
    private enum Own: Sendable {
        case schedule(ScheduleFeed)
        case announced(AnnouncedFeed)
    }

    private var own: Own
    /// What only viewers of channels with breaks of their own have.
    private var channel: [ChannelFeeds] = []
    /// False until the first playlist was seen: only then is a pre-roll played.
    private var hasSeenProgramme = false

    private struct ChannelFeeds: Sendable {
        var interstitials = InterstitialFeed()
        var stitched = StitchedFeed()
    }

    init(_ plan: ViewerPlan) {
        own =
            switch plan.calendar.ownSource {
            case .dateRange: .announced(AnnouncedFeed())
            case .schedule, .interstitial, .preRoll, .stitched: .schedule(ScheduleFeed())
            }
    }

    /// The viewer joins.
    mutating func joined(_ breaks: inout BreakList, turn: inout Turn) {
        switch own {
        case .schedule(var feed):
            feed.joined(&breaks, turn: &turn)
            own = .schedule(feed)
        case .announced(var feed):
            feed.joined(turn)
            own = .announced(feed)
        }
    }

    /// A version of the live playlist that brings anything new.
    ///
    /// - Returns: What becomes of breaks that are known already.
    mutating func programmeChanged(
        _ shared: SharedPlaylist,
        _ playback: PlaybackPart,
        _ breaks: inout BreakList,
        turn: inout Turn
    ) -> ProgrammeReading {
        switch own {
        case .schedule: break
        case .announced(var feed):
            feed.programmeChanged(shared, playback, &breaks, turn: &turn)
            own = .announced(feed)
        }
        guard let schedule = shared.schedule, let playhead = playback.playheadDate(turn) else { return .usual }
        let isJoining = !hasSeenProgramme
        hasSeenProgramme = true
        guard !channel.isEmpty || !schedule.interstitials.isEmpty || !schedule.stitched.isEmpty else { return .usual }
        if channel.isEmpty { channel.append(ChannelFeeds()) }
        channel[0].stitched.follow(schedule.stitched, playhead: playhead, &breaks, turn: &turn)
        guard turn.persona.interstitials.trigger != .never else { return .usual }
        let scene = InterstitialFeed.Scene(
            playhead: playhead,
            windowStart: playback.latest?.playlist.programDate(at: 0) ?? .distantPast,
            isJoining: isJoining
        )
        return channel[0].interstitials.follow(schedule, scene, &breaks, turn: &turn)
    }

    /// The viewer's own break is asked for now, whatever comes of it.
    mutating func ownBreakAsked() {
        switch own {
        case .announced: break
        case .schedule(var feed):
            feed.hadOne()
            own = .schedule(feed)
        }
    }

    /// The viewer's own break is over, at an instant that may be ahead: the next one is looked for.
    mutating func ownBreakEnded(
        _ outcome: BreakOutcome,
        at instant: Instant,
        _ playback: PlaybackPart,
        _ breaks: inout BreakList,
        turn: inout Turn
    ) {
        switch own {
        case .schedule(var feed):
            feed.ended(outcome, at: instant, &breaks, turn: &turn)
            own = .schedule(feed)
        case .announced(var feed):
            feed.consider(playback.latest?.announced ?? [], at: instant, playback, &breaks, turn: &turn)
            own = .announced(feed)
        }
    }

    /// An interstitial was played, so that one that is for once does not come again.
    mutating func played(_ offer: any BreakOffer) {
        guard offer.isOnce, !channel.isEmpty else { return }
        channel[0].interstitials.remember(offer)
    }
}

/// What reading the programme brought besides breaks.
enum ProgrammeReading: Sendable {
    case usual
    /// The channel's first interstitials: from now on there is something to seek over.
    case firstInterstitials
}
