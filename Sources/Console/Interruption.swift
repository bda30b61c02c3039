import Dispatch
import Glibc

/// Turns signals into requests: SIGINT and SIGTERM to stop, where a second one ends the process at once; SIGHUP to begin
/// new files; SIGUSR1 to show where the run stands.
///
/// `@unchecked Sendable`: signal sources are not `Sendable`; these are set up in `init` and only kept alive afterwards.
package final class Interruption: @unchecked Sendable {
    private let queue = DispatchQueue(label: "podswarm.signals")
    private var sources: [any DispatchSourceSignal] = []
    /// On `queue` only.
    private var hasFired = false

    /// Calls `first` once, at the first signal that asks to stop, on a private queue.
    package init(first: @escaping @Sendable () -> Void) {
        handle(SIGINT) { $0.stop(first) }
        handle(SIGTERM) { $0.stop(first) }
    }

    /// Asks a run for what each signal means.
    package convenience init(_ requests: RunRequests) {
        self.init { requests.stop(.interrupted) }
        handle(SIGHUP) { _ in requests.ask(for: .rotation) }
        handle(SIGUSR1) { _ in requests.ask(for: .snapshot) }
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
            _exit(PodswarmExit.interrupted.rawValue)
        }
        hasFired = true
        first()
    }
}
