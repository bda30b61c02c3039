import Synchronization

package struct MediaIDCue: Sendable, Equatable {
    package let mediaID: String
    package let offsetMicroseconds: Int64

    package init(_ mediaID: String, offsetMicroseconds: Int64) {
        self.mediaID = mediaID
        self.offsetMicroseconds = offsetMicroseconds
    }
}

/// Whether any ad segment read on a loop carried a media id, so that the others are expected to.
package final class CarriedMediaIDs: Sendable {
    private let areThere = Atomic(false)

    package init() {}

    package fileprivate(set) var areExpected: Bool {
        get { areThere.load(ordering: .relaxed) }
        set { areThere.store(newValue, ordering: .relaxed) }
    }
}

/// Media ids in one ad segment, shared by all viewers of a loop that play it; one of them reads it.
package final class SegmentMediaIDs: Sendable {
    private enum State {
        case unread
        case underWay
        /// Sorted by offset.
        case read([MediaIDCue])
    }

    private let state = Mutex(State.unread)
    private let carried: CarriedMediaIDs

    package init(_ carried: CarriedMediaIDs) {
        self.carried = carried
    }

    /// Nil until read.
    package var cues: [MediaIDCue]? {
        state.withLock { state in
            if case .read(let cues) = state { cues } else { nil }
        }
    }

    /// Whether ids should be awaited or missed: a viewer is reading, or other segments had some.
    package var areExpected: Bool {
        if carried.areExpected { return true }
        return state.withLock { state in
            if case .underWay = state { true } else { false }
        }
    }

    /// Whether the caller must read the segment, because no other viewer has or does.
    package func claim() -> Bool {
        state.withLock { state in
            guard case .unread = state else { return false }
            state = .underWay
            return true
        }
    }

    /// Undoes a claim if the segment cannot be read.
    package func release() {
        state.withLock { state in
            if case .underWay = state { state = .unread }
        }
    }

    package func tell(_ cues: [MediaIDCue]) {
        if !cues.isEmpty { carried.areExpected = true }
        let inOrder = cues.sorted { $0.offsetMicroseconds < $1.offsetMicroseconds }
        state.withLock { $0 = .read(inOrder) }
    }
}
