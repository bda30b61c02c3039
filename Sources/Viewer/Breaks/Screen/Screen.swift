import AdServing
import Profile
import Values

/// The content that one viewer sees: the programme, or the break that has the playhead.
///
/// One break has the playhead at a time; breaks that come due meanwhile are left out. The files beside this one begin a break
/// when the playhead is there and its ads may start, play it, report what was seen, and give the playhead back to the
/// programme. They do not decide when content is requested.
struct Screen: Sendable {
    private var extras = OptionalBox<Extras>()
    /// Serial of the break that has the playhead; nil while the programme has it.
    var currentSerial: UInt16?
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

    func wantsMetadata(hasPodInHand: Bool) -> Bool {
        guard hasPodInHand || keepsExtras else { return false }
        return tracking.wantsMetadata(hasPodInHand: hasPodInHand)
    }

    func nextSeekInstant(_ turn: Turn) -> Instant {
        guard keepsExtras, navigation.instant > turn.now else { return .distantFuture }
        return navigation.instant
    }

    /// Plans the first seek once the channel has interstitials.
    mutating func planSeek(turn: inout Turn) {
        guard turn.plan.audience.seeks != nil else { return }
        navigation.plan(turn: &turn)
    }
}

extension BreaksPart {
    /// Index of the break that has the playhead; nil while the programme has it.
    var current: Int? { screen.currentSerial.flatMap(breaks.index(ofSerial:)) }

    var showsAds: Bool { current.map { breaks[$0].clock != nil } ?? false }

    /// Whether ads of the viewer's own pod play in place of the programme.
    var replacesProgramme: Bool {
        current.map { breaks[$0].offer.programme == .replaced && breaks[$0].clock != nil } ?? false
    }

    func timing(_ turn: Turn) -> BreakTiming { BreakTiming(current: current.map { breaks[$0] }, turn.plan) }

    func nextAdInstant(_ turn: Turn) -> Instant {
        guard let current, case .playing(.assets(let queue), let clock) = breaks[current].phase else {
            return .distantFuture
        }
        var instant = clock.nextInstant(queue, limit: breaks[current].offer.playoutLimit(turn.plan))
        if instant != .distantFuture, let cue = screen.tracking.nextCue {
            // A cue that became known too late is handled at the next due event.
            let cueAt = clock.instant(at: cue)
            if cueAt > turn.now { instant = min(instant, cueAt) }
        }
        return instant > turn.now ? instant : .distantFuture
    }
}
