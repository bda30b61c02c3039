import AdServing
import Rules
import Values

/// The breaks of one viewer and the feeds that bring them.
///
/// A feed is told the outcome of its break, then looks for the next one.
struct BreakAgenda: Sendable {
    var list = BreakList()
    private var feeds: BreakFeeds

    init(_ plan: ViewerPlan) { feeds = BreakFeeds(plan) }

    var indices: Range<Int> { list.indices }

    subscript(index: Int) -> Break {
        _read { yield list[index] }
        _modify { yield &list[index] }
    }

    var own: Int? { list.own }

    func index(ofSerial serial: UInt16) -> Int? { list.index(ofSerial: serial) }

    mutating func joined(turn: inout Turn) { feeds.joined(&list, turn: &turn) }

    mutating func programmeChanged(_ shared: SharedPlaylist, _ playback: PlaybackPart, turn: inout Turn)
        -> ProgrammeReading
    {
        feeds.programmeChanged(shared, playback, &list, turn: &turn)
    }

    mutating func called(_ planned: PlannedBreak, turn: inout Turn) { feeds.called(planned, &list, turn: &turn) }

    mutating func ownBreakAsked() { feeds.ownBreakAsked() }

    mutating func ownBreakEnded(
        _ outcome: BreakOutcome,
        at instant: Instant,
        _ playback: PlaybackPart,
        turn: inout Turn
    ) {
        feeds.ownBreakEnded(outcome, at: instant, playback, &list, turn: &turn)
    }

    mutating func played(_ offer: any BreakOffer) { feeds.played(offer) }
}
