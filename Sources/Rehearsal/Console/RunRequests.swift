import Dispatch
import Glibc
import Synchronization

/// Made from any thread; the run's monitor carries them out.
package final class RunRequests: Sendable {
    /// Requests that leave the run going.
    package enum Wish: CaseIterable, Hashable {
        case rotation
        case snapshot
    }

    private let state = Mutex<(end: RunEnd?, wishes: Set<Wish>, parting: String?)>((nil, [], nil))

    package init() {}

    /// The first request counts.
    package func stop(_ end: RunEnd) { state.withLock { $0.end = $0.end ?? end } }

    /// Clears an end of kind `stopped` before the next run of a search; any other end stays.
    package func goOn() {
        state.withLock { state in
            if case .stopped = state.end { state.end = nil }
        }
    }

    package var end: RunEnd? { state.withLock { $0.end } }

    /// Hint on getting a result if the process ends at once; nil without data.
    package var parting: String? {
        get { state.withLock { $0.parting } }
        set { state.withLock { $0.parting = newValue } }
    }

    /// Nil, abandoning `work`, as soon as an end of the run is requested.
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

    package func ask(for wish: Wish) { state.withLock { _ = $0.wishes.insert(wish) } }

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
    /// As the profile spells it.
    case aborted(String)
    /// Reason why the caller needs no more of the run.
    case stopped(String)
    /// A sentence without its full stop.
    case ownPartFailed(String)
}

/// SIGINT and SIGTERM stop the run, a second one ends the process at once; SIGHUP begins new files, SIGUSR1 prints the state.
///
/// Listens until the process ends: it and its sources keep each other alive.
///
/// `@unchecked Sendable`: signal sources are not `Sendable`, and are not used after `init`.
package final class Interruption: @unchecked Sendable {
    private let queue = DispatchQueue(label: "podswarm.signals")
    private var sources: [any DispatchSourceSignal] = []
    /// On `queue` only.
    private var hasFired = false
    private let parting: @Sendable () -> String?

    /// Runs `first` once, on a private queue; `parting` is printed at a second signal.
    private init(parting: @escaping @Sendable () -> String?, first: @escaping @Sendable () -> Void) {
        self.parting = parting
        for number in [SIGINT, SIGTERM] { handle(number) { self.stop(first) } }
    }

    package static func listen(_ first: @escaping @Sendable () -> Void) {
        _ = Interruption(parting: { nil }, first: first)
    }

    package static func listen(for requests: RunRequests) {
        let interruption = Interruption(parting: { requests.parting }, first: { requests.stop(.interrupted) })
        interruption.handle(SIGHUP) { requests.ask(for: .rotation) }
        interruption.handle(SIGUSR1) { requests.ask(for: .snapshot) }
    }

    /// For signals before the command listens for them.
    package static func tellBeforeListening() {
        signal(SIGINT) { _ in
            // A signal handler may call only async-signal-safe functions (signal-safety(7)).
            let text: StaticString = "podswarm: interrupted (exit 130)\n"
            _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
            _exit(130)
        }
    }

    private func handle(_ number: Int32, _ body: @escaping @Sendable () -> Void) {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler { @Sendable [self] in withExtendedLifetime(self, body) }
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
