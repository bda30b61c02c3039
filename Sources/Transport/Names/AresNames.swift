import CLinux
import CNames
import Dispatch
import Glibc
import Synchronization
import Values

/// Uses c-ares on a thread that exists while a question is open and reads the hosts file and resolv.conf anew.
///
/// A silent server is asked for two seconds, then for four: within the usual time to connect.
final class AresNames: NameSource {
    private struct Question: Sendable {
        let host: String
        let done: @Sendable (NameAnswer) -> Void
    }

    private struct Inbox {
        var asked: [Question] = []
        var isRunning = false
    }

    private static let patience: Int32 = 2_000
    private static let tries: Int32 = 2

    private let servers: String
    private let inbox = Mutex(Inbox())
    private let queue = DispatchQueue(label: "podswarm.names")
    private let wake: Int32

    /// Ports are optional; empty leaves the choice to resolv.conf.
    init(servers: [String]) {
        // c-ares takes brackets only where a port follows.
        self.servers = servers.map(\.withoutBrackets).joined(separator: ",")
        wake = podswarm_event_create()
    }

    deinit { close(wake) }

    func ask(_ host: String, _ done: @escaping @Sendable (NameAnswer) -> Void) {
        let mustStart = inbox.withLock { inbox in
            inbox.asked.append(Question(host: host, done: done))
            defer { inbox.isRunning = true }
            return !inbox.isRunning
        }
        if mustStart { queue.async { self.run() } } else { podswarm_event_notify(wake) }
    }

    private func run() {
        let channel = podswarm_names_open(servers, Self.patience, Self.tries)
        let open = OpenQuestions()
        while let questions = take(whileOpen: open.count) {
            for question in questions {
                guard let channel else {
                    question.done(NameAnswer())
                    continue
                }
                open.count += 1
                let asked = AskedQuestion(open, question.done)
                podswarm_names_ask(
                    channel,
                    question.host,
                    { context, address, size, life in AskedQuestion.at(context)?.found(address, size, life) },
                    { context in AskedQuestion.at(context)?.answered() },
                    Unmanaged.passRetained(asked).toOpaque()
                )
            }
            if let channel, open.count > 0 { podswarm_names_wait(channel, wake) }
        }
        if let channel { podswarm_names_close(channel) }
    }

    /// nil where no question is left.
    private func take(whileOpen count: Int) -> [Question]? {
        inbox.withLock { inbox in
            guard count > 0 || !inbox.asked.isEmpty else {
                inbox.isRunning = false
                return nil
            }
            defer { inbox.asked = [] }
            return inbox.asked
        }
    }
}

/// Confined to the thread of `AresNames`.
private final class OpenQuestions {
    var count = 0
}

/// Held by c-ares until its end.
private final class AskedQuestion {
    private let open: OpenQuestions
    private let done: @Sendable (NameAnswer) -> Void
    private var answer = NameAnswer(timeToLive: .max)

    init(_ open: OpenQuestions, _ done: @escaping @Sendable (NameAnswer) -> Void) {
        (self.open, self.done) = (open, done)
    }

    static func at(_ context: UnsafeMutableRawPointer?) -> AskedQuestion? {
        context.map { Unmanaged<AskedQuestion>.fromOpaque($0).takeUnretainedValue() }
    }

    func found(_ address: UnsafeRawPointer?, _ size: UInt32, _ timeToLive: Int32) {
        answer.timeToLive = min(answer.timeToLive, Int64(timeToLive))
        guard let address else { return }
        if let found = SocketAddress(address.assumingMemoryBound(to: sockaddr.self), size: size) {
            answer.addresses.append(found)
        }
    }

    func answered() {
        open.count -= 1
        done(answer)
        Unmanaged.passUnretained(self).release()
    }
}
