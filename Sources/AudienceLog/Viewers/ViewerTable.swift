/// All viewers that were seen, by their hashes: open addressing in one piece of memory.
///
/// Bounded: when it is full, half of all viewers are forgotten, chosen by their hashes, and of all that come later as well.
/// Each that is left then stands for twice as many.
final class ViewerTable {
    /// The least share of places that is free, as a fraction of 10.
    private static let freeTenths = 2
    private static let fewestPlaces = 1 << 10

    private(set) var entries: UnsafeMutableBufferPointer<ViewerEntry>
    private(set) var count = 0
    /// A viewer is kept whose hash begins with so many zeros.
    private(set) var level = 0
    var stays = StayPool()
    private let mostPlaces: Int
    private let mostStays: Int

    /// - Parameter mostPlaces: At most so many are held in memory; a power of two.
    init(mostPlaces: Int) {
        self.mostPlaces = max(Self.fewestPlaces, mostPlaces)
        mostStays = self.mostPlaces / 2
        entries = Self.allocated(Self.fewestPlaces)
    }

    deinit { entries.deallocate() }

    /// How many viewers each one stands for.
    var weight: Int { 1 << level }

    /// The place of a viewer, made where it has none; nil for one that is not kept.
    @inline(__always)
    func place(of hash: UInt64) -> Int? {
        let hash = hash == 0 ? 1 : hash
        guard level == 0 || hash >> UInt64(64 - level) == 0 else { return nil }
        let mask = entries.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while true {
            let found = entries[place].hash
            if found == hash { return place }
            if found == 0 { break }
            place = (place + 1) & mask
        }
        return added(hash, at: place)
    }

    private func added(_ hash: UInt64, at place: Int) -> Int? {
        guard (count + 1) * 10 > entries.count * (10 - Self.freeTenths) else {
            entries[place].hash = hash
            count += 1
            return place
        }
        if entries.count < mostPlaces {
            resize(to: entries.count * 2)
        } else {
            thinOut()
        }
        return self.place(of: hash)
    }

    /// Forgets half of the viewers where further stays have come to be more than are held.
    func makeRoomForStays() {
        if stays.used > mostStays { thinOut() }
    }

    private func thinOut() {
        level += 1
        for place in entries.indices where entries[place].hash != 0 && entries[place].hash >> UInt64(64 - level) != 0 {
            stays.release(all: entries[place].more)
            entries[place] = ViewerEntry()
            count -= 1
        }
        // Those that stood behind them are found again only where they are put anew.
        resize(to: max(Self.fewestPlaces, entries.count / 2))
    }

    private func resize(to places: Int) {
        var places = places
        while (count + 1) * 10 > places * (10 - Self.freeTenths), places < mostPlaces { places *= 2 }
        let old = entries
        entries = Self.allocated(places)
        let mask = places - 1
        for entry in old where entry.hash != 0 {
            var place = Int(truncatingIfNeeded: entry.hash) & mask
            while entries[place].hash != 0 { place = (place + 1) & mask }
            entries[place] = entry
        }
        old.deallocate()
    }

    private static func allocated(_ places: Int) -> UnsafeMutableBufferPointer<ViewerEntry> {
        let entries = UnsafeMutableBufferPointer<ViewerEntry>.allocate(capacity: places)
        entries.initialize(repeating: ViewerEntry())
        return entries
    }
}
