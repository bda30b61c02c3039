package import Foundation
package import Rendezvous
import Synchronization
import Time

/// A place in memory, which may be out of reach.
package final class MemoryPlace: RendezvousPlace {
    private struct State {
        var groups: [String: [String: Data]] = [:]
        var isReachable = true
        var losesAnswers = false
        var refusals = 0
    }

    private let state = Mutex(State())

    package init() {}

    package var isReachable: Bool {
        get { state.withLock(\.isReachable) }
        set { state.withLock { $0.isReachable = newValue } }
    }

    /// Whether what is put arrives, and its answer does not.
    package var losesAnswers: Bool {
        get { state.withLock(\.losesAnswers) }
        set { state.withLock { $0.losesAnswers = newValue } }
    }

    /// How often it was asked while it was out of reach.
    package var refusals: Int { state.withLock(\.refusals) }

    package func held(_ group: String) -> [String: Data] { state.withLock { $0.groups[group] ?? [:] } }

    package func fill(_ group: String, with contents: [String: Data]) { state.withLock { $0.groups[group] = contents } }

    package func put(_ content: Data, in group: String, as name: String) throws(RendezvousError) -> Bool {
        try reach()
        let isFree = state.withLock { state in
            guard state.groups[group]?[name] == nil else { return false }
            state.groups[group, default: [:]][name] = content
            return true
        }
        if losesAnswers { throw RendezvousError("the answer is lost") }
        return isFree
    }

    package func list(_ group: String, after name: String?) throws(RendezvousError) -> RendezvousListing {
        try reach()
        let entries = held(group).filter { $0.key > name ?? "" }.sorted { $0.key < $1.key }
        return RendezvousListing(entries: entries.map { .init(name: $0.key, content: $0.value) }, isWhole: true)
    }

    package func time() throws(RendezvousError) -> PlaceTime {
        try reach()
        return PlaceTime(wall: WallTime(microseconds: 0), granularity: .zero)
    }

    private func reach() throws(RendezvousError) {
        let isRefused = state.withLock { state in
            if !state.isReachable { state.refusals += 1 }
            return !state.isReachable
        }
        if isRefused { throw RendezvousError("out of reach") }
    }
}
