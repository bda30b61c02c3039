import Synchronization

/// A media id in a segment of an ad, and when the playhead comes to it.
package struct MediaIDCue: Sendable, Equatable {
    package let mediaID: String
    /// From the segment's beginning.
    package let offsetMicroseconds: Int64

    package init(_ mediaID: String, offsetMicroseconds: Int64) {
        self.mediaID = mediaID
        self.offsetMicroseconds = offsetMicroseconds
    }
}

/// Whether any segment of an ad that was read on a loop carried a media id: then the others are expected to.
package final class CarriedMediaIDs: Sendable {
    private let areThere = Atomic(false)

    package init() {}

    package fileprivate(set) var areExpected: Bool {
        get { areThere.load(ordering: .relaxed) }
        set { areThere.store(newValue, ordering: .relaxed) }
    }
}

/// The media ids in one segment of an ad, for all viewers of a loop that play it: one of them reads it.
package final class SegmentMediaIDs: Sendable {
    private enum State {
        case unread
        case underWay
        /// By their times.
        case read([MediaIDCue])
    }

    private let state = Mutex(State.unread)
    private let carried: CarriedMediaIDs

    package init(_ carried: CarriedMediaIDs) {
        self.carried = carried
    }

    /// The ids; nil while nobody has read them.
    package var cues: [MediaIDCue]? {
        state.withLock { state in
            if case .read(let cues) = state { cues } else { nil }
        }
    }

    /// Whether there is reason to wait for ids, or to miss them: somebody is reading, or other segments had some.
    package var areExpected: Bool {
        if carried.areExpected { return true }
        return state.withLock { state in
            if case .underWay = state { true } else { false }
        }
    }

    /// Whether the segment is to be read by whoever asks, because nobody has and nobody does.
    package func claim() -> Bool {
        state.withLock { state in
            guard case .unread = state else { return false }
            state = .underWay
            return true
        }
    }

    /// Whoever was to read it cannot.
    package func release() {
        state.withLock { state in
            if case .underWay = state { state = .unread }
        }
    }

    /// Tells what was read.
    package func tell(_ cues: [MediaIDCue]) {
        if !cues.isEmpty { carried.areExpected = true }
        let inOrder = cues.sorted { $0.offsetMicroseconds < $1.offsetMicroseconds }
        state.withLock { $0 = .read(inOrder) }
    }
}
