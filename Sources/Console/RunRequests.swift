import Synchronization

/// What somebody wants of a run under way; asked from any thread, carried out by its monitor.
package final class RunRequests: Sendable {
    /// Wishes that leave the run going.
    package enum Wish: CaseIterable, Hashable {
        /// Begin new files.
        case rotation
        /// Say where the run stands.
        case snapshot
    }

    private let state = Mutex<(end: RunEnd?, wishes: Set<Wish>, parting: String?)>((nil, [], nil))

    package init() {}

    /// Asks for the end before its time; the first request counts.
    package func stop(_ end: RunEnd) {
        state.withLock { $0.end = $0.end ?? end }
    }

    /// Takes back that enough was seen of a run, for the next one; whatever else ends it stays.
    package func goOn() {
        state.withLock { state in
            if case .stopped = state.end { state.end = nil }
        }
    }

    package var end: RunEnd? { state.withLock { $0.end } }

    /// How to come by a result if the process ends at once; nil where there is nothing to make one of.
    package var parting: String? {
        get { state.withLock { $0.parting } }
        set { state.withLock { $0.parting = newValue } }
    }

    /// Waits for work, or for a request to end the run where that comes first; the work is then abandoned.
    ///
    /// - Returns: What the work returned; nil where the run is to end.
    package func unlessEnded<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        let (results, result) = AsyncThrowingStream<Value?, any Error>.makeStream()
        Task {
            do { result.yield(try await work()) } catch { result.finish(throwing: error) }
        }
        let look = Task {
            while end == nil { try await Task.sleep(for: .milliseconds(20)) }
            result.yield(nil)
        }
        defer { look.cancel() }
        for try await value in results { return value }
        return nil
    }

    package func ask(for wish: Wish) {
        state.withLock { _ = $0.wishes.insert(wish) }
    }

    /// The wishes since this was asked last.
    package func takeWishes() -> Set<Wish> {
        state.withLock { state in
            defer { state.wishes = [] }
            return state.wishes
        }
    }
}

/// Why viewers stopped watching.
package enum RunEnd: Equatable, Sendable {
    case completed
    case interrupted
    /// The abort condition, as it was written.
    case aborted(String)
    /// Whoever asked for the run had seen enough, for this reason.
    case stopped(String)
    /// A part of podswarm itself failed, such as its embedded origin, as a sentence without its end.
    case ownPartFailed(String)
}
