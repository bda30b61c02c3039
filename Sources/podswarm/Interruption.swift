import Dispatch
import Glibc

/// Turns SIGINT and SIGTERM into a request to stop; a second one ends the process at once.
///
/// `@unchecked Sendable`: signal sources are not `Sendable`; these are set up in `init` and only kept alive afterwards.
final class Interruption: @unchecked Sendable {
    private let queue = DispatchQueue(label: "podswarm.signals")
    private var sources: [any DispatchSourceSignal] = []
    /// On `queue` only.
    private var hasFired = false

    /// Calls `first` once, at the first signal, on a queue of its own.
    init(first: @escaping @Sendable () -> Void) {
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: self.queue)
            source.setEventHandler { @Sendable [weak self] in
                self?.fired(first)
            }
            source.activate()
            self.sources.append(source)
        }
    }

    private func fired(_ first: @Sendable () -> Void) {
        guard !self.hasFired else {
            _exit(PodswarmExit.interrupted.rawValue)
        }
        self.hasFired = true
        first()
    }
}
