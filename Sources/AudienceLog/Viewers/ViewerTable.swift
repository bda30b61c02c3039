/// A time in which a viewer watches, in milliseconds from the reading's zero.
struct Stay: Equatable {
    var first: Int32 = 0
    var last: Int32 = 0
}

/// Everything that is kept of one viewer: no address, cookie or session's id.
///
/// Instants are milliseconds from the reading's zero.
struct ViewerEntry {
    struct Traits: OptionSet {
        let rawValue: UInt8

        static let polled = Traits(rawValue: 1)
        static let asked = Traits(rawValue: 2)
        /// It has asked for the programme; others do not watch.
        static let watches = Traits(rawValue: 4)
        /// The first playlist that it asked for is the one that it polled again: it was there before the log.
        static let beganInMidst = Traits(rawValue: 8)
        /// More than its first playlist was asked for, so that one is followed.
        static let followsPlaylist = Traits(rawValue: 16)
    }

    /// The latest stay that was found.
    var stay = Stay()
    /// The poll that the next interval counts from, and a hash of its path.
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
    var mark = ViewerMark.address
    var traits: Traits = []
}

/// All viewers that were seen, by their hashes, and the stays that they ended.
///
/// Bounded: when there are too many, half of all viewers are forgotten, chosen by their hashes, and of all that come later as
/// well. Each that is left then stands for twice as many.
final class ViewerTable {
    /// A stay of a viewer.
    struct Ended: Equatable {
        var viewer: UInt64
        var stay: Stay
    }

    var entries: [UInt64: ViewerEntry] = [:]
    var ended: [Ended] = []
    private let most: Int
    private let gap: Int32
    /// A viewer is kept whose hash begins with so many zeros.
    private var level = 0

    /// - Parameters:
    ///   - most: Viewers, and ended stays.
    ///   - gap: Stays of one viewer that are no farther apart are one.
    init(most: Int, gap: Int32) {
        self.most = most
        self.gap = gap
    }

    /// How many viewers each one stands for.
    var weight: Int { 1 << level }

    @inline(__always)
    func keeps(_ viewer: UInt64) -> Bool { level == 0 || viewer >> UInt64(64 - level) == 0 }

    /// Forgets viewers where there are too many, or too many stays of theirs.
    func makeRoom() {
        guard entries.count > most || ended.count > most else { return }
        let mostEnded = ended.count > most ? most / 2 : most
        if ended.count > most { ended = joined(ended) }
        while entries.count > most || ended.count > mostEnded {
            level += 1
            entries = entries.filter { keeps($0.key) }
            ended.removeAll { !keeps($0.viewer) }
        }
    }

    /// Stays in the order of their viewers and then of time, those joined that are near to each other.
    func joined(_ stays: [Ended]) -> [Ended] {
        var joined: [Ended] = []
        for next in stays.sorted(by: { ($0.viewer, $0.stay.first) < ($1.viewer, $1.stay.first) }) {
            if let last = joined.last, last.viewer == next.viewer, next.stay.first - gap <= last.stay.last {
                joined[joined.count - 1].stay.last = max(last.stay.last, next.stay.last)
            } else {
                joined.append(next)
            }
        }
        return joined
    }
}
