import Audit
import Results
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
    let owner: ConnectionOwner
    /// Shared where nothing in them is the viewer's own.
    let headers: KeptHeaders
    let groups: ViewerGroups
    /// Zero means not set; a timer that fires for another deadline was superseded, so timers need no cancelling.
    @exclusivity(unchecked) var deadlines = Deadlines(repeating: .zero)
    /// Without headers where none are kept.
    var playlistRequest: PreparedRequest?
    /// Without headers where none are kept.
    var metadataRequest: PreparedRequest?
    /// For the next break, from shortly before its instant until the break after it is in sight.
    var podRequest: PreparedRequest?
    /// URL of the last `podRequest`.
    var podURL = ""
    /// The machine's generation of `playlistRequest`; changes with its URL.
    var playlistGeneration: UInt8 = 0
    @exclusivity(unchecked) var requestNumber: UInt32 = 0
    /// Bits of kinds whose next request carries a trace.
    @exclusivity(unchecked) var suspectKinds: UInt32 = 0
    var cookies = CookieJar()
    /// Without a replacement.
    var isDeparting = false
    let record = ViewerRecord()

    init(machine: ViewerMachine, owner: ConnectionOwner, headers: KeptHeaders, groups: ViewerGroups) {
        self.machine = machine
        self.owner = owner
        self.headers = headers
        self.groups = groups
    }

    /// Groups in which a record counts the viewer.
    var cohort: Cohort { Cohort(persona: machine.personaIndex, groups: groups) }
}

/// Packs the owner of a transfer or timer into 64 bits.
struct CrowdToken: Equatable {
    var index: Int
    var detail: UInt8
    /// 0 for none.
    var breakSerial: UInt16
    /// Tells several requests of one role apart.
    var request: UInt8

    init(index: Int, detail: UInt8, breakSerial: UInt16 = 0, request: UInt8 = 0) {
        self.index = index
        self.detail = detail
        self.breakSerial = breakSerial
        self.request = request
    }

    init(rawValue: UInt64) {
        index = Int(rawValue >> 32)
        request = UInt8(truncatingIfNeeded: rawValue >> 24)
        breakSerial = UInt16(truncatingIfNeeded: rawValue >> 8)
        detail = UInt8(truncatingIfNeeded: rawValue)
    }

    var rawValue: UInt64 { UInt64(index) << 32 | UInt64(request) << 24 | UInt64(breakSerial) << 8 | UInt64(detail) }

    /// Other details than these are raw values of `ViewerTimer`.
    static let join: UInt8 = 0xFF
    /// A viewer that was there before joins.
    static let reopening: UInt8 = 0xFB
    /// Open requests are abandoned.
    static let abandonment: UInt8 = 0xFE
    static let departure: UInt8 = 0xFD
    /// The next viewer without a seat joins.
    static let nextJoin: UInt8 = 0xFC
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
