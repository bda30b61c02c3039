import CPrograms
import Foundation
import Glibc
import Synchronization

/// A program of the system that a test started, and how it ended.
///
/// Started with `posix_spawn`, because Foundation's `Process` reads 256 bytes of each name in `/proc/self/fd`, also beyond
/// the end of the directory's buffer: with some 1,360 descriptors open, which a thousand connections are, it may crash.
package final class SpawnedProgram: Sendable {
    package struct End: Equatable, Sendable {
        /// The exit status, or the number of the signal that ended it.
        package let status: Int32
        package let isSignal: Bool
    }

    /// Its process identifier; the kernel gives it to nobody else before the end was asked for.
    package let identifier: Int32
    private let known = Mutex<End?>(nil)

    /// Starts a program that inherits the given descriptors and no other, as descriptor 3 and on.
    ///
    /// `environment` stands before the variables of this process; the caller goes on owning the three streams.
    package init(
        _ path: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        input: Int32,
        output: Int32,
        errors: Int32,
        inherited: [Int32] = []
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // By way of high numbers, so that no duplicate overwrites one that is still to be duplicated.
        let sources = ([input, output, errors] + inherited).map { fcntl($0, F_DUPFD_CLOEXEC, 100) }
        defer { for descriptor in sources { close(descriptor) } }
        for (number, descriptor) in sources.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        podswarm_spawn_close_from(&actions, Int32(sources.count))
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A task's thread blocks signals: a program that took that over would not hear that it is to end.
        var nothing = sigset_t()
        sigemptyset(&nothing)
        posix_spawnattr_setsigmask(&attributes, &nothing)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let variables = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let settings = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + settings { free(text) } }
        var started: Int32 = 0
        let refusal = posix_spawn(&started, path, &actions, &attributes, words, settings)
        guard refusal == 0 else { throw POSIXError(POSIXErrorCode(rawValue: refusal) ?? .EINVAL) }
        identifier = started
    }

    /// How it ended; nil while it runs.
    package var end: End? { outcome(waiting: false) }

    package var isRunning: Bool { end == nil }

    /// Sends a signal, if it still runs.
    package func send(_ signal: Int32) {
        known.withLock { end in
            // Under the lock that fetches the end, so that the identifier is still its own.
            if end == nil { _ = Glibc.kill(identifier, signal) }
        }
    }

    /// Asks it to end and returns when it has; kills it where it does not in time.
    ///
    /// A server that is killed leaves its workers behind. Therefore it has its time also where the test that waits for this is
    /// cancelled.
    package func stop(within limit: Duration = .seconds(10)) async -> End {
        send(SIGTERM)
        let impatience = Task {
            try await ContinuousClock().sleep(for: limit)
            send(SIGKILL)
        }
        defer { impatience.cancel() }
        return await ended()
    }

    /// Returns when it has ended; a thread of its own waits.
    package func ended() async -> End {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.waitUntilEnd()) }
        }
    }

    /// Blocks the thread until it has ended.
    package func waitUntilEnd() -> End {
        while true {
            // Without fetching the end: that is done under the lock, which must not be held while it runs.
            var info = siginfo_t()
            guard waitid(P_PID, id_t(identifier), &info, WEXITED | WNOWAIT) == 0 || errno != EINTR else { continue }
            if let end = outcome(waiting: true) { return end }
        }
    }

    private func outcome(waiting: Bool) -> End? {
        known.withLock { known in
            if let known { return known }
            var info = siginfo_t()
            let isFetched = waitid(P_PID, id_t(identifier), &info, WEXITED | (waiting ? 0 : WNOHANG)) == 0
            guard isFetched, info.si_signo == SIGCHLD else { return nil }
            known = End(status: info._sifields._sigchld.si_status, isSignal: info.si_code != Int32(CLD_EXITED))
            return known
        }
    }
}
