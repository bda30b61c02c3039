import CLinux
import CNames
import Dispatch
import Glibc
import Synchronization
import Values

/// Uses c-ares on a thread that exists while a question is open and reads the hosts file and resolv.conf anew.
///
/// A silent server is asked for two seconds, then for four: within the usual time to connect.
final class AresNames: Sendable {
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
        var open: [Question] = []
        while let questions = take(isIdle: open.isEmpty) {
            for question in questions {
                guard let channel else {
                    question.end()
                    continue
                }
                open.append(question)
                podswarm_names_ask(
                    channel,
                    question.host,
                    { context, address, size, life in Question.at(context)?.found(address, size, life) },
                    { context in Question.at(context)?.end() },
                    Unmanaged.passUnretained(question).toOpaque()
                )
            }
            open.removeAll(where: \.isAnswered)
            if let channel, !open.isEmpty { podswarm_names_wait(channel, wake) }
            open.removeAll(where: \.isAnswered)
        }
        if let channel { podswarm_names_close(channel) }
    }

    /// nil where no question is left.
    private func take(isIdle: Bool) -> [Question]? {
        inbox.withLock { inbox in
            guard !isIdle || !inbox.asked.isEmpty else {
                inbox.isRunning = false
                return nil
            }
            defer { inbox.asked = [] }
            return inbox.asked
        }
    }
}

/// `@unchecked Sendable`: the inbox hands it over to the thread of `AresNames`, which alone changes it.
private final class Question: @unchecked Sendable {
    let host: String
    private let done: @Sendable (NameAnswer) -> Void
    private var answer = NameAnswer(timeToLive: .max)
    private(set) var isAnswered = false

    init(host: String, done: @escaping @Sendable (NameAnswer) -> Void) { (self.host, self.done) = (host, done) }

    static func at(_ context: UnsafeMutableRawPointer?) -> Question? {
        context.map { Unmanaged<Question>.fromOpaque($0).takeUnretainedValue() }
    }

    func found(_ address: UnsafeRawPointer?, _ size: UInt32, _ timeToLive: Int32) {
        answer.timeToLive = min(answer.timeToLive, Int64(timeToLive))
        guard let address else { return }
        if let found = SocketAddress(address.assumingMemoryBound(to: sockaddr.self), size: size) {
            answer.addresses.append(found)
        }
    }

    func end() {
        isAnswered = true
        done(answer)
    }
}
