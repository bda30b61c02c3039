/// Milliseconds from the reading's zero.
struct Stay: Equatable {
    var first: Int32 = 0
    var last: Int32 = 0
}

/// Holds no address, cookie or session id; instants are milliseconds from the reading's zero.
struct ViewerEntry {
    struct Traits: OptionSet {
        let rawValue: UInt8

        static let polled = Traits(rawValue: 1)
        static let asked = Traits(rawValue: 2)
        /// Asked for the programme, and so counts as a viewer.
        static let watches = Traits(rawValue: 4)
        /// Polled its first playlist again: it had joined before the log starts.
        static let beganInMidst = Traits(rawValue: 8)
        /// Asked for a playlist more than once.
        static let followsPlaylist = Traits(rawValue: 16)
    }

    var stay = Stay()
    /// Poll from which the next interval counts, and a hash of its path.
    var lastPoll: Int32 = 0
    var pollPath: UInt32 = 0
    var lastAsk: Int32 = 0
    /// Hash of the break's name; 0 without a name.
    var askName: UInt32 = 0
    /// For the programme.
    var requests: UInt32 = 0
    /// Part of the hash of the first address.
    var place: UInt16 = 0
    var player: UInt16 = 0
    /// Part of the hash of the first polled path.
    var firstPath: UInt16 = 0
    /// Requests from other addresses, at most 255.
    var elsewhere: UInt8 = 0
    var mark = ViewerMark.address
    var traits: Traits = []
}

/// Viewers by hash; if there are too many, half of all present and future ones are discarded.
///
/// Each remaining viewer stands for twice as many.
final class ViewerTable {
    struct Ended: Equatable {
        var viewer: UInt64
        var stay: Stay
    }

    private(set) var entries: [UInt64: ViewerEntry] = [:]
    var ended: [Ended] = []
    private let most: Int
    private let gap: Int32
    /// Kept hashes begin with this many zero bits.
    private var level = 0

    /// `most` limits viewers as well as ended stays; stays of one viewer with at most `gap` between them are one.
    init(most: Int, gap: Int32) { (self.most, self.gap) = (most, gap) }

    /// Viewers that each kept one stands for.
    var weight: Int { 1 << level }

    private func keeps(_ viewer: UInt64) -> Bool { level == 0 || viewer >> UInt64(64 - level) == 0 }

    subscript(viewer: UInt64) -> ViewerEntry? { entries[viewer] }

    /// Adds a missing viewer; does nothing for a discarded one.
    func update(_ viewer: UInt64, _ change: (inout ViewerEntry) -> Void) {
        while entries.count >= most, keeps(viewer), entries[viewer] == nil { thinOut() }
        if keeps(viewer) { change(&entries[viewer, default: ViewerEntry()]) }
    }

    func makeRoomForStays() {
        guard ended.count > most else { return }
        ended = joined(ended)
        while ended.count > most / 2 { thinOut() }
    }

    private func thinOut() {
        level += 1
        ended.removeAll { !keeps($0.viewer) }
        entries = entries.filter { keeps($0.key) }
    }

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
