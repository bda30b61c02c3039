import Audit
import Transport
import Values
import Viewer

/// A viewer's place on its loop: its machine, and the loop's data about it.
///
/// Confined to its loop. An object of its own, so that no access to one field copies or moves the others.
final class ViewerSlot {
    /// Indexed by the raw value of the timer; there has to be room for each.
    typealias Deadlines = InlineArray<17, Instant>

    // A run-time exclusivity check of each access would cost more than the access, and can find nothing: the class is confined
    // to one loop, and a machine calls nothing.
    @exclusivity(unchecked) var machine: ViewerMachine
    let owner: ConnectionOwner
    /// Shared by viewers where nothing in them is the viewer's own.
    let headers: KeptHeaders
    /// Deadlines of the viewer's timers; zero means not set.
    ///
    /// A timer of the loop that fires for another deadline was superseded, so that timers need no cancelling.
    @exclusivity(unchecked) var deadlines = Deadlines(repeating: .zero)
    /// The poll, prepared once; without headers where none are kept.
    var playlistRequest: PreparedRequest?
    /// The poll of metadata, whose URL is the session's own; without headers where none are kept.
    var metadataRequest: PreparedRequest?
    /// The pod request of the viewer's own next break, from shortly before its instant until the next break is in sight.
    var podRequest: PreparedRequest?
    /// The URL of `podRequest`, or of the last one.
    var podURL = ""
    /// The machine's generation of `playlistRequest`: another generation has another URL.
    var playlistGeneration: UInt8 = 0
    @exclusivity(unchecked) var requestNumber: UInt32 = 0
    /// Bits of request kinds whose next request carries a trace, because the last one went wrong.
    @exclusivity(unchecked) var suspectKinds: UInt32 = 0
    /// Empty where the profile keeps no cookies.
    var cookies = CookieJar()
    /// Whether the viewer leaves for good, without a replacement.
    var isDeparting = false
    let record = ViewerRecord()

    init(machine: ViewerMachine, owner: ConnectionOwner, headers: KeptHeaders) {
        self.machine = machine
        self.owner = owner
        self.headers = headers
    }
}

/// The owner of a transfer or timer, packed into the 64 bits of its token.
struct CrowdToken: Equatable {
    var index: Int
    var detail: UInt8
    /// The break of a request; 0 for none.
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

    /// Timer of a viewer's join; other details than these are raw values of `ViewerTimer`.
    static let join: UInt8 = 0xFF
    /// Timer of a join by a viewer that was there before.
    static let reopening: UInt8 = 0xFB
    /// Timer at which open requests are abandoned.
    static let abandonment: UInt8 = 0xFE
    /// Timer at which the viewer of a seat leaves for good.
    static let departure: UInt8 = 0xFD
    /// Timer at which the next viewer without a seat joins.
    static let nextJoin: UInt8 = 0xFC
}
