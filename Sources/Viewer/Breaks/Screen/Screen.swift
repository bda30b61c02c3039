import AdServing
import Profile
import Values

/// The content that one viewer sees: the programme, or the break that has the playhead.
///
/// One break has the playhead at a time; breaks that come due meanwhile are left out. The screen begins a break when the
/// playhead is there and its ads may start, plays it, reports what was seen, and gives the playhead back to the programme. It
/// does not decide when content is requested.
struct Screen: Sendable {
    private var extras = OptionalBox<Extras>()
    /// Serial of the break that has the playhead; 0 while the programme has it.
    var currentSerial: UInt16 = 0
    var pictureInPicture = PictureInPicture()

    /// State that only some viewers need.
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

    var keepsExtras: Bool { !extras.isEmpty }

    /// Frees the extras unless pings are still to be sent or awaited, or a seek is planned.
    mutating func dropExtras() {
        guard let kept = extras.value, kept.tracking.isIdle, kept.navigation.next == .never else { return }
        extras.value = nil
    }

    // MARK: Queries

    func current(_ breaks: BreakAgenda) -> Int? {
        currentSerial == 0 ? nil : breaks.index(ofSerial: currentSerial)
    }

    func showsAds(_ breaks: BreakAgenda) -> Bool { current(breaks).map { breaks[$0].clock != nil } ?? false }

    /// Whether ads of the viewer's own pod play in place of the programme.
    func replacesProgramme(_ breaks: BreakAgenda) -> Bool {
        current(breaks).map { breaks[$0].offer.programme == .replaced && breaks[$0].clock != nil } ?? false
    }

    func wantsMetadata(hasPodInHand: Bool) -> Bool {
        guard hasPodInHand || keepsExtras else { return false }
        return tracking.wantsMetadata(hasPodInHand: hasPodInHand)
    }

    func timing(_ breaks: BreakAgenda, _ turn: Turn) -> BreakTiming {
        BreakTiming(current: current(breaks).map { breaks[$0] }, turn.plan)
    }

    func nextSeekInstant(_ turn: Turn) -> Instant {
        guard keepsExtras, navigation.instant > turn.now else { return .distantFuture }
        return navigation.instant
    }

    func nextAdInstant(_ breaks: BreakAgenda, _ turn: Turn) -> Instant {
        guard let current = current(breaks), case .playing(.assets(let queue), let clock) = breaks[current].phase else {
            return .distantFuture
        }
        var instant = clock.nextInstant(queue, limit: breaks[current].offer.playoutLimit(turn.plan))
        if instant != .distantFuture, let cue = extras.value?.tracking.nextCue {
            // A cue that became known too late is handled at the next due event.
            let cueAt = clock.instant(at: cue)
            if cueAt > turn.now { instant = min(instant, cueAt) }
        }
        return instant > turn.now ? instant : .distantFuture
    }
}
