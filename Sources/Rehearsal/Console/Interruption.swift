import Dispatch
import Glibc

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
