import AdServing
import Measurement
import Transport

/// A viewer's place on its loop: the machine, and what the shell keeps for it.
///
/// Confined to its loop. An object of its own, so that no access to one field copies or moves the others.
final class ViewerSlot {
    // A run-time exclusivity check of each access would cost more than the access, and can find nothing: the class is
    // confined to one loop, and a machine calls nothing.
    @exclusivity(unchecked) var machine: ViewerMachine
    let owner: ConnectionOwner
    /// Headers of all this viewer's requests; shared by viewers where nothing in them is the viewer's own.
    let headers: HeaderList?
    /// Deadlines of the viewer's timers, monotonic nanoseconds; 0 means not set.
    ///
    /// A timer of the loop that fires for another deadline was superseded, so that timers need no cancelling.
    @exclusivity(unchecked) var deadlines = InlineArray<19, Int64>(repeating: 0)
    /// The poll that is sent again and again, prepared once.
    var playlistRequest: PreparedRequest?
    /// The other poll, whose URL is the session's own.
    var metadataRequest: PreparedRequest?
    /// The break that the machine's actions are about.
    var planned: PlannedBreak?
    /// The pod request of that break, from shortly before its instant until the next break is in sight.
    var podRequest: PreparedRequest?
    /// Place of the playlist's URL in the loop's cache.
    var playlistPlace: Int32 = -1
    /// Which of the machine's playlists that place is of: another generation has another URL.
    var playlistGeneration: UInt8 = 0
    /// The same for the audio and subtitle playlists; empty for a viewer that plays neither.
    var renditionPlaces: [RenditionPlace] = []
    /// What is remembered of playlists that broke a rule lately; empty for nearly every viewer.
    var watches: [RenditionWatch] = []
    var breakSlot: Int32 = -1
    /// The break before it, of which answers may still come.
    var formerBreak: FormerBreak?
    /// What the first answer to this break's pod request was, with the viewer's own id masked.
    var podFingerprint: UInt64?
    /// What that holds, in short; empty unless some viewers ask twice.
    var podSummary = ""
    /// Why the pods of breaks that are not over are not there, while nothing else came.
    var unavailable: [Unavailability] = []
    /// Rises with each break, so that an answer can be told from one to an earlier break's request.
    var breakSerial: UInt16 = 0

    init(machine: ViewerMachine, owner: ConnectionOwner, headers: HeaderList?) {
        self.machine = machine
        self.owner = owner
        self.headers = headers
    }

    /// The pod identifier as it stands in the path.
    var podIdentifier: String { self.planned?.pathComponent ?? "" }

    /// The length of the break, in milliseconds.
    var breakMilliseconds: UInt64 {
        UInt64(clamping: (self.planned?.scheduled.duration.nanosecondsHeld ?? 0) / 1_000_000)
    }

    /// The pod request's URL; empty before it is known.
    var podURL: String { self.podRequest?.url ?? "" }
}

/// A break that a viewer is through with, and the measurement's place for it.
struct FormerBreak {
    let planned: PlannedBreak
    let slot: Int32
}

/// The last answer to a request for a pod manifest or asset list, where it was none.
struct Unavailability {
    /// Of the break.
    let slot: Int32
    let url: String
    let problem: String
}

/// Where a loop's cache keeps a rendition's playlists.
struct RenditionPlace {
    let rendition: PlayedRendition
    let generation: UInt8
    let place: Int
}

/// What a transfer or timer belongs to, packed into the 64 bits that come back with it.
struct ShardToken: Equatable {
    var place: Int
    var detail: UInt8
    /// Of the viewer's break when a request was made.
    var breakSerial: UInt16
    /// Which of several requests of one role.
    var index: UInt8

    init(place: Int, detail: UInt8, breakSerial: UInt16 = 0, index: UInt8 = 0) {
        self.place = place
        self.detail = detail
        self.breakSerial = breakSerial
        self.index = index
    }

    init(rawValue: UInt64) {
        self.place = Int(rawValue >> 32)
        self.index = UInt8(truncatingIfNeeded: rawValue >> 24)
        self.breakSerial = UInt16(truncatingIfNeeded: rawValue >> 8)
        self.detail = UInt8(truncatingIfNeeded: rawValue)
    }

    var rawValue: UInt64 {
        UInt64(self.place) << 32 | UInt64(self.index) << 24 | UInt64(self.breakSerial) << 8 | UInt64(self.detail)
    }

    /// Detail of the timer at which a viewer joins; the others are raw values of `ViewerTimer`.
    static let join: UInt8 = 0xFF
}
