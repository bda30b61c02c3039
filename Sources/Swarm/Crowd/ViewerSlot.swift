import Audit
import Cookies
import Time
import Transport
import Viewer

/// A viewer's place on its loop: the machine, and what the shell keeps for it.
///
/// Confined to its loop. An object of its own, so that no access to one field copies or moves the others.
final class ViewerSlot {
    /// By the raw value of the timer; there has to be room for each.
    typealias Deadlines = InlineArray<17, Instant>

    // A run-time exclusivity check of each access would cost more than the access, and can find nothing: the class is
    // confined to one loop, and a machine calls nothing.
    @exclusivity(unchecked) var machine: ViewerMachine
    let owner: ConnectionOwner
    /// Headers of all this viewer's requests; shared by viewers where nothing in them is the viewer's own.
    let headers: KeptHeaders
    /// Deadlines of the viewer's timers; zero means not set.
    ///
    /// A timer of the loop that fires for another deadline was superseded, so that timers need no cancelling.
    @exclusivity(unchecked) var deadlines = Deadlines(repeating: .zero)
    /// The poll that is sent again and again, prepared once; without headers where none are kept.
    var playlistRequest: PreparedRequest?
    /// The other poll, whose URL is the session's own; the same holds for its headers.
    var metadataRequest: PreparedRequest?
    /// The pod request of the viewer's own next break, from shortly before its instant until the next break is in sight.
    var podRequest: PreparedRequest?
    /// Its URL as the machine asks for it; of the last one, where there is none.
    var podURL = ""
    /// Which of the machine's playlists the poll is of: another generation has another URL.
    var playlistGeneration: UInt8 = 0
    /// Requests made so far, where some carry a trace.
    @exclusivity(unchecked) var requestNumber: UInt32 = 0
    /// The kinds of which the next request carries a trace, by raw value, because the last one went wrong.
    @exclusivity(unchecked) var suspectKinds: UInt32 = 0
    /// What servers had it keep; empty where the profile says that nobody does.
    var cookies = CookieJar()
    /// Whether the viewer leaves for good, and nobody takes over from it.
    var isDeparting = false
    /// What the audit remembers of this viewer.
    let record = ViewerRecord()

    init(machine: ViewerMachine, owner: ConnectionOwner, headers: KeptHeaders) {
        self.machine = machine
        self.owner = owner
        self.headers = headers
    }
}

/// What a transfer or timer belongs to, packed into the 64 bits that come back with it.
struct CrowdToken: Equatable {
    /// Of the viewer in the crowd's list.
    var index: Int
    var detail: UInt8
    /// Of the viewer's break that a request is for; 0 for none.
    var breakSerial: UInt16
    /// Which of several requests of one role.
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

    /// Detail of the timer at which a viewer joins; the others are raw values of `ViewerTimer`.
    static let join: UInt8 = 0xFF
    /// Detail of the timer at which a viewer joins that has been there before.
    static let reopening: UInt8 = 0xFB
    /// Detail of the timer at which nobody waits for answers any more.
    static let abandonment: UInt8 = 0xFE
    /// Detail of the timer at which whoever is in a seat leaves for good.
    static let departure: UInt8 = 0xFD
    /// Detail of the timer at which the next of those joins who have no seat yet.
    static let nextJoin: UInt8 = 0xFC
}
