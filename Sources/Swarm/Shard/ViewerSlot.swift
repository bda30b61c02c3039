import AdServing
import Measurement
import Transport

/// A viewer's place on its loop: the machine, and what the shell keeps for it.
struct ViewerSlot {
    var machine: ViewerMachine
    let owner: ConnectionOwner
    /// Headers of all this viewer's requests; shared by viewers where nothing in them is the viewer's own.
    let headers: HeaderList?
    /// Deadlines of the viewer's timers, monotonic nanoseconds; 0 means not set.
    ///
    /// A timer of the loop that fires for another deadline was superseded, so that timers need no cancelling.
    var deadlines = InlineArray<9, Int64>(repeating: 0)
    /// The poll that is sent again and again, prepared once.
    var playlistRequest: PreparedRequest?
    /// Place of the playlist's URL in the loop's cache.
    var playlistPlace = -1
    /// The pod request of the break to come, prepared before its instant.
    var podRequest: PreparedRequest?
    var podURL = ""
    var breakSlot: Int32 = -1
    var breakKey = ""
    /// Rises with each break, so that an answer can be told from one to an earlier break's request.
    var breakSerial: UInt16 = 0
    /// The pod identifier as it stands in the path.
    var podIdentifier = ""
    /// What the first answer to this break's pod request was, with the viewer's own id masked.
    var podFingerprint: UInt64?
}

/// What a transfer or timer belongs to, packed into the 64 bits that come back with it.
struct ShardToken: Equatable {
    var place: Int
    var detail: UInt8
    /// Of the viewer's break when a request was made.
    var breakSerial: UInt16

    init(place: Int, detail: UInt8, breakSerial: UInt16 = 0) {
        self.place = place
        self.detail = detail
        self.breakSerial = breakSerial
    }

    init(rawValue: UInt64) {
        self.place = Int(rawValue >> 24)
        self.breakSerial = UInt16(truncatingIfNeeded: rawValue >> 8)
        self.detail = UInt8(truncatingIfNeeded: rawValue)
    }

    var rawValue: UInt64 { UInt64(self.place) << 24 | UInt64(self.breakSerial) << 8 | UInt64(self.detail) }

    /// Detail of the timer at which a viewer joins; the others are raw values of `ViewerTimer`.
    static let join: UInt8 = 0xFF
}
