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

    /// 0: an empty place of the table.
    fileprivate(set) var hash: UInt64 = 0
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
/// Open addressing in one piece of memory: `Dictionary` hashes hashes once more. Bounded: when there are too many, half of
/// all viewers are forgotten, chosen by their hashes, and of all that come later as well. Each that is left then stands for
/// twice as many.
final class ViewerTable {
    /// A stay of a viewer.
    struct Ended: Equatable {
        var viewer: UInt64
        var stay: Stay
    }

    private static let fewestPlaces = 1 << 10

    private(set) var entries = ViewerTable.allocated(fewestPlaces)
    var ended: [Ended] = []
    private let most: Int
    private let gap: Int32
    private var count = 0
    /// A viewer is kept whose hash begins with so many zeros.
    private var level = 0

    /// - Parameters:
    ///   - most: Viewers, and ended stays.
    ///   - gap: Stays of one viewer that are no farther apart are one.
    init(most: Int, gap: Int32) {
        self.most = most
        self.gap = gap
    }

    deinit { entries.deallocate() }

    /// How many viewers each one stands for.
    var weight: Int { 1 << level }

    @inline(__always)
    private func keeps(_ viewer: UInt64) -> Bool { level == 0 || viewer >> UInt64(64 - level) == 0 }

    /// The place of a viewer, or the empty one where it belongs.
    @inline(__always)
    private func slot(of viewer: UInt64) -> Int {
        var place = Int(truncatingIfNeeded: viewer) & (entries.count - 1)
        while entries[place].hash != viewer, entries[place].hash != 0 { place = (place + 1) & (entries.count - 1) }
        return place
    }

    subscript(viewer: UInt64) -> ViewerEntry? {
        let entry = entries[slot(of: viewer)]
        return entry.hash == viewer ? entry : nil
    }

    /// The place of a viewer, made where it has none; nil for one that is not kept.
    @inline(__always)
    func place(of viewer: UInt64) -> Int? {
        guard keeps(viewer) else { return nil }
        let place = slot(of: viewer)
        return entries[place].hash == viewer ? place : added(viewer, at: place)
    }

    private func added(_ viewer: UInt64, at place: Int) -> Int? {
        guard count < most, (count + 1) * 10 <= entries.count * 8 else {
            if count < most { resize() } else { thinOut() }
            return self.place(of: viewer)
        }
        entries[place].hash = viewer
        count += 1
        return place
    }

    /// Forgets viewers where they have too many stays.
    func makeRoomForStays() {
        guard ended.count > most else { return }
        ended = joined(ended)
        while ended.count > most / 2 { thinOut() }
    }

    private func thinOut() {
        level += 1
        ended.removeAll { !keeps($0.viewer) }
        resize()
    }

    /// Puts the viewers that are kept into a table that has room for one more.
    private func resize() {
        let old = entries
        let kept = old.lazy.filter { $0.hash != 0 && self.keeps($0.hash) }
        count = kept.reduce(0) { count, _ in count + 1 }
        var places = Self.fewestPlaces
        while (count + 1) * 10 > places * 8 { places *= 2 }
        entries = Self.allocated(places)
        for entry in kept { entries[slot(of: entry.hash)] = entry }
        old.deallocate()
    }

    private static func allocated(_ places: Int) -> UnsafeMutableBufferPointer<ViewerEntry> {
        let entries = UnsafeMutableBufferPointer<ViewerEntry>.allocate(capacity: places)
        entries.initialize(repeating: ViewerEntry())
        return entries
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
