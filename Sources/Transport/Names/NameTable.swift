import CLinux
import CNames
import Dispatch
import Glibc
import Synchronization
package import Values

/// The end of one question for a name.
package struct NameAnswer: Equatable, Sendable {
    /// Both families, any order, port 0; empty without an answer.
    package var addresses: [SocketAddress] = []
    /// The least of the records, in seconds; 0 where unknown, as in a hosts file.
    package var timeToLive: Int64 = 0
}

/// The addresses of a name, for as long as its answer lives.
package struct KnownName: Equatable, Sendable {
    /// Port 0; IPv6 first, each family by its bytes, whatever the servers' order.
    package let addresses: [SocketAddress]
    package let until: Instant
    /// Addresses of the answer beyond `mostAddresses`.
    package let leftOut: Int
}

/// Asks once per name and time to live: a question from each viewer would load a server that takes no part in the test.
///
/// Answers live at least a second; those without an address just that.
package final class NameTable: Sendable {
    private enum Entry {
        case known(KnownName)
        case asking([@Sendable (KnownName) -> Void])
    }

    private struct Settings: Hashable {
        let servers: [String]
        let timeToLive: Duration?
    }

    /// Limit for one family; an answer may have thousands.
    package static let mostAddresses = 256
    private static let mostNames = 4_096
    private static let leastLife: Int64 = 1
    private static let longestLife: Int64 = 86_400

    private static let tables = Mutex<[Settings: NameTable]>([:])

    private let ask: Question
    private let timeToLive: Duration?
    private let clock: @Sendable () -> Instant
    private let entries = Mutex<[String: Entry]>([:])

    /// Asks name servers; the closure is called once, on any thread, never from within.
    package typealias Question = @Sendable (String, @escaping @Sendable (NameAnswer) -> Void) -> Void

    /// `timeToLive` replaces that of answers.
    package init(
        timeToLive: Duration? = nil,
        clock: @escaping @Sendable () -> Instant = { MonotonicClock.now() },
        ask: @escaping Question
    ) {
        (self.ask, self.timeToLive, self.clock) = (ask, timeToLive, clock)
    }

    /// The process's table for these servers; none leaves the choice to the system's settings.
    package static func shared(servers: [String] = [], timeToLive: Duration? = nil) -> NameTable {
        tables.withLock { tables in
            let settings = Settings(servers: servers, timeToLive: timeToLive)
            if let known = tables[settings] { return known }
            let names = AresNames(servers: servers)
            let made = NameTable(timeToLive: timeToLive) { names.ask($0, $1) }
            tables[settings] = made
            return made
        }
    }

    /// nil while the name is asked for; `done` is then called once, on any thread.
    package func lookUp(_ host: String, _ done: @escaping @Sendable (KnownName) -> Void) -> KnownName? {
        let now = clock()
        var mustAsk = false
        let known: KnownName? = entries.withLock { entries in
            switch entries[host] {
            case .known(let name) where name.until > now: return name
            case .asking(let waiting): entries[host] = .asking(waiting + [done])
            case .known, nil:
                if entries.count >= Self.mostNames { Self.forget(&entries, at: now) }
                entries[host] = .asking([done])
                mustAsk = true
            }
            return nil
        }
        if mustAsk { ask(host) { [self] in answered(host, $0) } }
        return known
    }

    /// Addresses that the last answer had beyond the limit; 0 if unknown.
    package func leftOut(of host: String) -> Int {
        entries.withLock { if case .known(let name) = $0[host] { name.leftOut } else { 0 } }
    }

    private func answered(_ host: String, _ answer: NameAnswer) {
        let (addresses, leftOut) = Self.sorted(answer.addresses)
        let said = min(max(answer.timeToLive, Self.leastLife), Self.longestLife)
        let life = addresses.isEmpty ? .seconds(Self.leastLife) : timeToLive ?? .seconds(said)
        let name = KnownName(addresses: addresses, until: clock().later(by: life), leftOut: leftOut)
        let waiting: [@Sendable (KnownName) -> Void] = entries.withLock { entries in
            defer { entries[host] = .known(name) }
            guard case .asking(let waiting) = entries[host] else { return [] }
            return waiting
        }
        for done in waiting { done(name) }
    }

    /// A target may redirect to ever new names of a wildcard.
    private static func forget(_ entries: inout [String: Entry], at now: Instant) {
        let count = entries.count
        entries = entries.filter { if case .known(let name) = $0.value { name.until > now } else { true } }
        guard entries.count == count else { return }
        entries = entries.filter { if case .known = $0.value { false } else { true } }
    }

    private static func sorted(_ addresses: [SocketAddress]) -> (used: [SocketAddress], leftOut: Int) {
        var sorted: [SocketAddress] = []
        for address in addresses.sorted(by: SocketAddress.precedes) where sorted.last != address {
            sorted.append(address)
        }
        let split = sorted.firstIndex { !$0.isVersion6 } ?? sorted.count
        let used = Array(sorted[..<split].prefix(mostAddresses) + sorted[split...].prefix(mostAddresses))
        return (used, sorted.count - used.count)
    }
}

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
