import Audit
import Results
import Rules
import Transport
package import Values
import Viewer

/// A viewer's machine, and its loop's data about it; confined to the loop.
///
/// A class, so that no access to one field copies or moves the others.
final class ViewerSlot {
    /// Indexed by the raw value of the timer, with room for each.
    typealias Deadlines = InlineArray<17, Instant>

    // A run-time exclusivity check costs more than the access, and can find nothing: a machine calls nothing.
    @exclusivity(unchecked) var machine: ViewerMachine
    /// Index among the loop's viewers.
    let seat: Int
    let owner: ConnectionOwner
    /// Shared where nothing in them is the viewer's own; nil where they are made for each request.
    let headers: HeaderList?
    let groups: ViewerGroups
    /// Zero means not set; a timer that fires for another deadline was superseded, so timers need no cancelling.
    @exclusivity(unchecked) var deadlines = Deadlines(repeating: .zero)
    /// Without headers where none are kept.
    var playlistRequest: PreparedRequest?
    /// Without headers where none are kept.
    var metadataRequest: PreparedRequest?
    /// For the next break, from shortly before its instant until the break after it is in sight.
    var podRequest: PreparedRequest?
    var podURL = ""
    /// Index of `playlistRequest`, which changes with its URL.
    var playlistIndex: UInt8 = 0
    @exclusivity(unchecked) var requestNumber: UInt32 = 0
    /// Bits of kinds whose next request carries a trace.
    @exclusivity(unchecked) var suspectKinds: UInt32 = 0
    var cookies = CookieJar()
    /// Nil where the viewer's browser has asked for no permission.
    var preflights: PreflightBook?
    /// Without a replacement.
    var isDeparting = false
    /// Nil for a viewer whose line takes no time.
    let line: ViewerLine?
    var joinedAt = Instant.zero
    /// First picture of the content; nil before it, and once the viewer watches no more.
    var watchesSince: Instant?
    let record = ViewerRecord()

    init(
        seat: Int,
        machine: ViewerMachine,
        owner: ConnectionOwner,
        headers: HeaderList?,
        groups: ViewerGroups,
        line: ViewerLine?
    ) {
        (self.seat, self.machine, self.owner) = (seat, machine, owner)
        (self.headers, self.groups, self.line) = (headers, groups, line)
    }

    /// Groups in which a record counts the viewer.
    var cohort: Cohort { Cohort(persona: machine.personaIndex, groups: groups) }

    /// Counts what the viewer saw; returns whether it leaves while something is still on its way.
    @inline(__always)
    func follow(_ counter: ViewerCounter, _ recorder: LoopRecorder, now: Instant) -> Bool {
        switch counter {
        case .joined:
            joinedAt = now
            if machine.life == 0 { recorder.sums.viewers.countViewer(persona: machine.personaIndex) }
        case .firstPictures:
            watchesSince = now
            recorder.sums.firstPicture.record((now &- joinedAt) / 1_000)
        case .left:
            if let since = watchesSince.take() {
                recorder.count(.watchedMilliseconds, by: UInt64(clamping: (now &- since) / 1_000_000))
            }
            return line?.arrivals.isEmpty == false
        default: break
        }
        return false
    }

    /// Keeps the event of a segment that still has to come over the line, and returns when it has.
    func hold(
        _ event: ViewerEvent,
        _ role: ViewerRole,
        _ result: borrowing TransferResult,
        ownDelay: Int64
    ) -> Instant? {
        guard let line, [.segment, .part, .podSegment].contains(role), result.isSuccess else { return nil }
        let at = line.carry(result.bodyBytes, from: max(result.firstByteAt, result.sentAt))
        guard at > result.doneAt, machine.phase != .leaving else { return nil }
        line.arrivals.append(ViewerLine.Arrival(at: at, event: event, ownDelay: ownDelay))
        return at
    }

    /// The next segment that has come over the line; one that leaves gets all, which ends their requests.
    func arrived(by now: Instant) -> ViewerLine.Arrival? {
        guard let line, let next = line.arrivals.first, next.at <= now || machine.phase == .leaving else { return nil }
        return line.arrivals.removeFirst()
    }

    /// For a kind of a break, the next request for its pod too.
    func suspect(_ role: ViewerRole) {
        suspectKinds |= Self.mark(role.kind)
        switch role {
        case .podManifest, .podRepeat, .podPlaylist, .podRepeatPlaylist, .podSegment:
            suspectKinds |= Self.mark(.podManifest)
        default: break
        }
    }

    /// Whether the next request of a role is to be traced, which it then is.
    func takesSuspicion(of role: ViewerRole) -> Bool {
        guard suspectKinds & Self.mark(role.kind) != 0 else { return false }
        suspectKinds &= ~Self.mark(role.kind)
        return true
    }

    private static func mark(_ kind: RequestKind) -> UInt32 { 1 << UInt32(kind.rawValue) }

    /// The OPTIONS request that a browser sends first; nil where it keeps the permission.
    func asking(
        _ preflight: CrossOriginPreflight,
        for transfer: TransferRequest,
        after history: TransferHistory,
        at now: Instant
    ) -> TransferRequest? {
        let book = preflights ?? PreflightBook()
        preflights = book
        let url = transfer.request.url
        let permission = ([url] + preflight.unsafeNames).hashValue
        guard let number = book.wait((transfer, history, permission), at: now) else { return nil }
        var asked = transfer
        asked.request = PreparedRequest(.options, url: url, headers: HeaderList(preflight.fields))
        asked.token = CrowdToken(index: seat, detail: ViewerRole.preflight.rawValue, request: number).rawValue
        asked.keepBody = false
        return asked
    }
}

/// A viewer's own line to the network, over which bodies come one after another at its rate; confined to its loop.
///
/// The answers themselves are read as fast as they come: what is behind the line is held back from the viewer alone.
final class ViewerLine {
    struct Arrival {
        let at: Instant
        let event: ViewerEvent
        /// Nanoseconds by which podswarm asked late.
        let ownDelay: Int64
    }

    private let bitsPerSecond: Double
    private var isFreeAt = Instant.zero
    fileprivate(set) var arrivals: [Arrival] = []

    init(bitsPerSecond: Int64) { self.bitsPerSecond = Double(bitsPerSecond) }

    /// Returns when the line has carried a body whose first byte came to it at `first`.
    func carry(_ bytes: Int, from first: Instant) -> Instant {
        let nanoseconds = Double(bytes) * 8e9 / bitsPerSecond
        isFreeAt = max(first, isFreeAt).later(by: Int64(min(nanoseconds, 1e18)))
        return isFreeAt
    }
}

/// Permissions that a viewer's browser keeps (Fetch standard, "CORS-preflight cache"), and requests that wait for one.
final class PreflightBook {
    /// `permission` is a hash of URL and names of headers.
    typealias Waiting = (transfer: TransferRequest, history: TransferHistory, permission: Int)

    private static let kept = 256

    private var waiting: [UInt8: Waiting] = [:]
    private var expiries: [Int: Instant] = [:]
    private var last: UInt8 = 0

    /// Nil with the permission in hand, or if as many requests wait as can be told apart.
    func wait(_ request: Waiting, at now: Instant) -> UInt8? {
        guard expiries[request.permission].map({ $0 <= now }) ?? true, waiting.count < UInt8.max else { return nil }
        repeat { last &+= 1 } while waiting[last] != nil
        waiting[last] = request
        return last
    }

    func take(_ number: UInt8) -> Waiting? { waiting.removeValue(forKey: number) }

    func keep(_ permission: Int, by answer: TransferResult) {
        let lifetime = CrossOriginPreflight.lifetime(maximumAge: answer.header("access-control-max-age"))
        if expiries.count >= Self.kept { expiries = expiries.filter { answer.doneAt < $0.value } }
        let expiry = answer.doneAt.later(by: Int64(lifetime) * 1_000_000_000)
        expiries.keep(expiry, for: permission, atMost: Self.kept)
    }
}

/// Packs the owner of a transfer or timer into 64 bits.
struct CrowdToken: Equatable {
    var index: Int
    var detail: UInt8
    /// 0 for none.
    var breakSerial: UInt16 = 0
    /// Tells several requests of one role apart.
    var request: UInt8 = 0

    var rawValue: UInt64 { UInt64(index) << 32 | UInt64(request) << 24 | UInt64(breakSerial) << 8 | UInt64(detail) }

    /// Other details than these are raw values of `ViewerTimer`.
    static let join: UInt8 = 0xFF
    /// A viewer that was there before joins.
    static let reopening: UInt8 = 0xFB
    /// Open requests are abandoned.
    static let abandonment: UInt8 = 0xFE
    static let departure: UInt8 = 0xFD
    /// The viewer's line has carried a segment, or the viewer leaves.
    static let arrival: UInt8 = 0xFA
    /// The next viewer without a seat joins.
    static let nextJoin: UInt8 = 0xFC
}

extension CrowdToken {
    init(rawValue: UInt64) {
        index = Int(rawValue >> 32)
        request = UInt8(truncatingIfNeeded: rawValue >> 24)
        breakSerial = UInt16(truncatingIfNeeded: rawValue >> 8)
        detail = UInt8(truncatingIfNeeded: rawValue)
    }
}

/// Polls wait for the next slot: a loop wakes up once a slot and not once a poll, which is half of a paced poll's cost.
///
/// Lateness counts from the slot's instant.
package struct PollSlots: Sendable {
    private let nanoseconds: Int64

    /// Zero or less lets every poll leave at its own instant.
    package init(length: Duration) { nanoseconds = max(0, length.nanosecondsHeld) }

    /// Never before the instant: minimum waits are kept.
    ///
    /// All loops and runs of one machine have the same slots, so that a cadence of whole slots never drifts.
    package func slot(for deadline: Instant) -> Instant {
        guard nanoseconds > 0, deadline > .zero, deadline != .distantFuture else { return deadline }
        let over = deadline.nanoseconds % nanoseconds
        return over == 0 ? deadline : deadline.later(by: nanoseconds - over)
    }
}

extension ViewerTimer {
    var isOfPolls: Bool {
        switch self {
        case .reload, .reloadAudio, .reloadSubtitles, .metadata, .steering: true
        case .registrationRetry, .renewal, .breakPreparation, .breakFetch, .breakStart, .adProgress, .pictureInPicture,
            .leave, .buffering, .retry, .abandonment, .sessionUpdate:
            false
        }
    }
}
