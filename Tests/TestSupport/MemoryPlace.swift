package import Foundation
import Synchronization
import Values

@testable package import Results

/// A place in memory, which may be out of reach.
package final class MemoryPlace: RendezvousPlace {
    private struct State {
        var groups: [String: [String: Data]] = [:]
        var isReachable = true
        var lostAnswers = 0
        var clockOffset = Duration.zero
        var listings = 0
        var entries = 0
        var refusals = 0
        var unreadable: String?
    }

    private let state = Mutex(State())

    package init() {}

    package var isReachable: Bool {
        get { state.withLock(\.isReachable) }
        set { state.withLock { $0.isReachable = newValue } }
    }

    /// To how many puts that arrive the answer is still to be lost.
    package var lostAnswers: Int {
        get { state.withLock(\.lostAnswers) }
        set { state.withLock { $0.lostAnswers = newValue } }
    }

    /// How often it was listed, and how much that told.
    package var told: (listings: Int, entries: Int) { state.withLock { ($0.listings, $0.entries) } }

    /// Lead of the place's clock over this machine's.
    package var clockOffset: Duration {
        get { state.withLock(\.clockOffset) }
        set { state.withLock { $0.clockOffset = newValue } }
    }

    /// A group that cannot be listed.
    package var unreadable: String? {
        get { state.withLock(\.unreadable) }
        set { state.withLock { $0.unreadable = newValue } }
    }

    /// How often it was asked while it was out of reach.
    package var refusals: Int { state.withLock(\.refusals) }

    package func held(_ group: String) -> [String: Data] { state.withLock { $0.groups[group] ?? [:] } }

    package func fill(_ group: String, with contents: [String: Data]) { state.withLock { $0.groups[group] = contents } }

    package func put(_ content: Data, in group: String, as name: String) throws(RendezvousError) -> Bool {
        try reach()
        guard RendezvousName.isOne(group), RendezvousName.isOne(name) else { throw RendezvousError("no name") }
        try RendezvousListing.check(content)
        let isFree = state.withLock { state in
            if state.groups[group]?[name] == nil { state.groups[group, default: [:]][name] = content }
            return state.groups[group]?[name] == content
        }
        let isLost = state.withLock { state in
            defer { state.lostAnswers = max(0, state.lostAnswers - 1) }
            return state.lostAnswers > 0
        }
        if isLost { throw RendezvousError("the answer is lost") }
        return isFree
    }

    package func list(_ group: String, after name: String?) throws(RendezvousError) -> RendezvousListing {
        try reach()
        if group == unreadable { throw RendezvousError("out of order") }
        guard RendezvousName.isOne(group) else { throw RendezvousError("no name of a group") }
        var listing = RendezvousListing(entries: [], isWhole: true)
        var bytes = 0
        for (name, content) in held(group).filter({ $0.key > name ?? "" }).sorted(by: { $0.key < $1.key }) {
            listing.isWhole = bytes < RendezvousListing.enoughContent
            guard listing.isWhole else { break }
            bytes += content.count
            listing.entries.append(.init(name: name, content: content))
        }
        state.withLock { ($0.listings, $0.entries) = ($0.listings + 1, $0.entries + listing.entries.count) }
        return listing
    }

    package func time() throws(RendezvousError) -> PlaceTime {
        try reach()
        let seconds = Date().timeIntervalSince1970
        let wall = WallTime(microseconds: Int64(seconds * 1e6)) + clockOffset
        return PlaceTime(wall: wall, granularity: .microseconds(1))
    }

    private func reach() throws(RendezvousError) {
        let isRefused = state.withLock { state in
            if !state.isReachable { state.refusals += 1 }
            return !state.isReachable
        }
        if isRefused { throw RendezvousError("out of reach") }
    }
}
