import AdServing
import Audience
import Breaks
import Rulebook
import Time

/// The breaks of one viewer, and the sources that bring them.
///
/// What becomes of a break is told to its source, which then looks for the next.
struct BreakAgenda: Sendable {
    var list = BreakList()
    private var feeds: BreakFeeds

    init(_ plan: ViewerPlan) { feeds = BreakFeeds(plan) }

    var indices: Range<Int> { list.indices }

    subscript(index: Int) -> Break {
        _read { yield list[index] }
        _modify { yield &list[index] }
    }

    /// The viewer's own break that goes on, or else the one that comes next.
    var own: Int? { list.own }

    /// The break that a request belongs to; nil where it is over, or was begun anew.
    func index(ofSerial serial: UInt16) -> Int? { list.index(ofSerial: serial) }

    mutating func joined(turn: inout Turn) { feeds.joined(&list, turn: &turn) }

    /// A version of the live playlist that brings anything new.
    mutating func programmeChanged(_ shared: SharedPlaylist, _ playback: PlaybackPart, turn: inout Turn)
        -> ProgrammeReading
    {
        feeds.programmeChanged(shared, playback, &list, turn: &turn)
    }

    /// Somebody calls for a break that no schedule had.
    mutating func called(_ planned: PlannedBreak, turn: inout Turn) { feeds.called(planned, &list, turn: &turn) }

    /// The viewer's own break is asked for now, whatever comes of it.
    mutating func ownBreakAsked() { feeds.ownBreakAsked() }

    /// The viewer's own break is over, at an instant that may be ahead: the next one is looked for.
    mutating func ownBreakEnded(
        _ outcome: BreakOutcome,
        at instant: Instant,
        _ playback: PlaybackPart,
        turn: inout Turn
    ) {
        feeds.ownBreakEnded(outcome, at: instant, playback, &list, turn: &turn)
    }

    /// An interstitial was played, so that one that is for once does not come again.
    mutating func played(_ offer: any BreakOffer) { feeds.played(offer) }
}
