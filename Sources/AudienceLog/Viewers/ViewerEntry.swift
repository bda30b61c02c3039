/// What is kept of one viewer: 48 bytes, of which none is an address, a cookie or a session's id.
///
/// Instants are milliseconds from the reading's zero.
struct ViewerEntry {
    /// Zero: nobody's place.
    var hash: UInt64 = 0
    /// The latest stay that was found.
    var first: Int32 = 0
    var last: Int32 = 0
    /// Further stays, by their place in the pool from 1.
    var more: UInt32 = 0
    /// The poll that the next interval counts from, and a hash of its path; -1: none yet.
    var lastPoll: Int32 = 0
    var pollPath: UInt32 = 0
    var lastAsk: Int32 = 0
    /// A hash of the name of the break that was asked for last; 0: it had none.
    var askName: UInt32 = 0
    /// For playlists and segments of the programme.
    var requests: UInt32 = 0
    /// A part of the hash of the address that it came from first.
    var place: UInt16 = 0
    var player: UInt16 = 0
    /// A part of the hash of the first path that was polled.
    var firstPath: UInt16 = 0
    /// Requests from other addresses, no more than are counted.
    var elsewhere: UInt8 = 0
    private var marks: UInt8 = 0

    private static let markBits: UInt8 = 0x07
    private static let polled: UInt8 = 0x08
    private static let asked: UInt8 = 0x10
    private static let began: UInt8 = 0x20
    private static let midst: UInt8 = 0x40
    private static let follows: UInt8 = 0x80

    /// By what it is told from others.
    var mark: ViewerMark {
        get { ViewerMark(rawValue: Int(marks & Self.markBits)) ?? .address }
        set { marks = marks & ~Self.markBits | UInt8(truncatingIfNeeded: newValue.rawValue) & Self.markBits }
    }

    var hasPolled: Bool {
        get { marks & Self.polled != 0 }
        set { set(Self.polled, newValue) }
    }

    var hasAsked: Bool {
        get { marks & Self.asked != 0 }
        set { set(Self.asked, newValue) }
    }

    /// Whether it has asked for the programme: else it is nobody who watches.
    var watches: Bool {
        get { marks & Self.began != 0 }
        set { set(Self.began, newValue) }
    }

    /// Whether the first playlist that it asked for is the one that it polled again: it was there before the log.
    var beganInMidst: Bool {
        get { marks & Self.midst != 0 }
        set { set(Self.midst, newValue) }
    }

    /// Whether more than its first playlist was asked for, so that one is followed.
    var followsPlaylist: Bool {
        get { marks & Self.follows != 0 }
        set { set(Self.follows, newValue) }
    }

    private mutating func set(_ bit: UInt8, _ isSet: Bool) { marks = isSet ? marks | bit : marks & ~bit }
}
