import AdServing
import Audience
import Breaks
import LoadProfile
import Time

/// What one viewer sees: the programme, or the break that has the playhead.
///
/// One break has the playhead at a time; what comes due meanwhile is left out. It begins a break when the playhead is there
/// and its ads may start, plays it, tells what was seen, and gives the playhead back to the programme. When a break is asked
/// for is not its concern.
struct Screen: Sendable {
    private var extras = OptionalBox<Extras>()
    /// Serial of the break that has the playhead; 0 while the programme has it.
    var currentSerial: UInt16 = 0
    var pictureInPicture = PictureInPicture()

    /// What not every viewer has.
    private struct Extras: Sendable {
        var tracking = Tracking()
        var navigation = Navigation()
    }

    var tracking: Tracking {
        get { extras.value?.tracking ?? Tracking() }
        _modify { yield &extras[default: Extras()].tracking }
    }

    var navigation: Navigation {
        get { extras.value?.navigation ?? Navigation() }
        _modify { yield &extras[default: Extras()].navigation }
    }

    /// Whether anything is kept that not every viewer has.
    var keepsExtras: Bool { !extras.isEmpty }

    /// Frees the extras unless pings are still to be sent or awaited, or a seek is planned.
    mutating func dropExtras() {
        guard let kept = extras.value, kept.tracking.isIdle, kept.navigation.next == .never else { return }
        extras.value = nil
    }

    // MARK: What is seen

    /// Index of the break that has the playhead; nil while the programme has it.
    func current(_ breaks: BreakAgenda) -> Int? {
        currentSerial == 0 ? nil : breaks.index(ofSerial: currentSerial)
    }

    /// Whether ads are shown.
    func showsAds(_ breaks: BreakAgenda) -> Bool { current(breaks).map { breaks[$0].clock != nil } ?? false }

    /// Whether the programme is unseen because ads of the viewer's own pod play in its place.
    func replacesProgramme(_ breaks: BreakAgenda) -> Bool {
        current(breaks).map { breaks[$0].offer.programme == .replaced && breaks[$0].clock != nil } ?? false
    }

    /// Whether metadata that is asked for now would be read, not only counted.
    func wantsMetadata(hasPodInHand: Bool) -> Bool {
        guard hasPodInHand || keepsExtras else { return false }
        return tracking.wantsMetadata(hasPodInHand: hasPodInHand)
    }

    /// When things are due, as the playhead is now.
    func timing(_ breaks: BreakAgenda, _ turn: Turn) -> BreakTiming {
        BreakTiming(current: current(breaks).map { breaks[$0] }, turn.plan)
    }

    /// When the next seek is due; the distant future where none is planned.
    func nextSeekInstant(_ turn: Turn) -> Instant {
        guard keepsExtras, navigation.instant > turn.now else { return .distantFuture }
        return navigation.instant
    }

    /// When the next event of the ads that play is due.
    func nextAdInstant(_ breaks: BreakAgenda, _ turn: Turn) -> Instant {
        guard let current = current(breaks), case .playing(.assets(let queue), let clock) = breaks[current].phase else {
            return .distantFuture
        }
        var instant = clock.nextInstant(queue, limit: breaks[current].offer.playoutLimit(turn.plan))
        if instant != .distantFuture, let cue = extras.value?.tracking.nextCue {
            // What has come to be known too late is due when anything is.
            let cueAt = clock.instant(at: cue)
            if cueAt > turn.now { instant = min(instant, cueAt) }
        }
        return instant > turn.now ? instant : .distantFuture
    }
}
