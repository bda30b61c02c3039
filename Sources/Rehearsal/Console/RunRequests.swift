import Dispatch
import Glibc
import Synchronization

/// Requests to a run under way, made from any thread and carried out by the run's monitor.
package final class RunRequests: Sendable {
    /// Requests that leave the run going.
    package enum Wish: CaseIterable, Hashable {
        /// Begin new journal files.
        case rotation
        /// Print the state of the run.
        case snapshot
    }

    private let state = Mutex<(end: RunEnd?, wishes: Set<Wish>, parting: String?)>((nil, [], nil))

    package init() {}

    /// Requests an early end; the first request counts.
    package func stop(_ end: RunEnd) {
        state.withLock { $0.end = $0.end ?? end }
    }

    /// Clears an end of kind `stopped`, before the next run of a search; any other end stays.
    package func goOn() {
        state.withLock { state in
            if case .stopped = state.end { state.end = nil }
        }
    }

    package var end: RunEnd? { state.withLock { $0.end } }

    /// Hint on how to get a result if the process ends at once; nil if there is no data for one.
    package var parting: String? {
        get { state.withLock { $0.parting } }
        set { state.withLock { $0.parting = newValue } }
    }

    /// Returns the result of `work`, or nil as soon as an end of the run is requested; `work` is then abandoned.
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

    /// Returns the wishes since the last call, and clears them.
    package func takeWishes() -> Set<Wish> {
        state.withLock { state in
            defer { state.wishes = [] }
            return state.wishes
        }
    }
}

/// Reason why viewers stopped watching.
package enum RunEnd: Equatable, Sendable {
    case completed
    case interrupted
    /// Abort condition, as the profile spells it.
    case aborted(String)
    /// Reason why the caller, such as a capacity search, needs no more of the run.
    case stopped(String)
    /// Failure of a part of podswarm itself, such as its embedded origin: a sentence without its full stop.
    case ownPartFailed(String)
}

/// Turns signals into requests.
///
/// SIGINT and SIGTERM stop the run; a second one ends the process at once. SIGHUP begins new files, SIGUSR1 prints the state.
/// `@unchecked Sendable`: signal sources are not `Sendable`; `init` sets them up, and later they are only kept alive.
package final class Interruption: @unchecked Sendable {
    private let queue = DispatchQueue(label: "podswarm.signals")
    private var sources: [any DispatchSourceSignal] = []
    /// Read and written on `queue` only.
    private var hasFired = false
    private let parting: @Sendable () -> String?

    /// Calls `first` once, on a private queue, at the first SIGINT or SIGTERM; `parting` is the hint printed at a second one.
    package init(parting: @escaping @Sendable () -> String? = { nil }, first: @escaping @Sendable () -> Void) {
        self.parting = parting
        handle(SIGINT) { $0.stop(first) }
        handle(SIGTERM) { $0.stop(first) }
    }

    package convenience init(_ requests: RunRequests) {
        self.init(parting: { requests.parting }, first: { requests.stop(.interrupted) })
        handle(SIGHUP) { _ in requests.ask(for: .rotation) }
        handle(SIGUSR1) { _ in requests.ask(for: .snapshot) }
    }

    /// Prints how the process ends if a signal interrupts it before its command listens for signals.
    package static func tellBeforeListening() {
        signal(SIGINT) { _ in
            // A signal handler may call only async-signal-safe functions (signal-safety(7)).
            let text: StaticString = "podswarm: interrupted (exit 130)\n"
            _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
            _exit(130)
        }
    }

    private func handle(_ number: Int32, _ body: @escaping @Sendable (Interruption) -> Void) {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler { @Sendable [weak self] in
            if let self { body(self) }
        }
        source.activate()
        sources.append(source)
    }

    private func stop(_ first: @Sendable () -> Void) {
        guard !hasFired else {
            let status = PodswarmExit.interrupted.rawValue
            let hint = parting().map { "; \($0)" } ?? ""
            RunOutput.tell("podswarm: ended at once by a second signal (exit \(status))\(hint)")
            _exit(status)
        }
        hasFired = true
        first()
    }
}
