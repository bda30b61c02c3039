import CLinux
import CNames
import Dispatch
import Glibc
import Synchronization
package import Values

package struct NameAnswer: Equatable, Sendable {
    /// Both families, any order; empty without an answer.
    package var addresses: [IPAddress] = []
    /// The least of the records, in seconds; 0 where unknown, as in a hosts file.
    package var timeToLive: Int64 = 0
}

/// The addresses of a name, for as long as its answer lives.
package struct KnownName: Equatable, Sendable {
    /// IPv6 first, each family by its bytes, whatever the servers' order.
    package let addresses: [IPAddress]
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

    private static func sorted(_ addresses: [IPAddress]) -> (used: [IPAddress], leftOut: Int) {
        var sorted: [IPAddress] = []
        for address in addresses.sorted() where sorted.last != address { sorted.append(address) }
        let split = sorted.firstIndex { !$0.isVersion6 } ?? sorted.count
        let used = Array(sorted[..<split].prefix(mostAddresses) + sorted[split...].prefix(mostAddresses))
        return (used, sorted.count - used.count)
    }
}

/// Uses c-ares on a thread that exists while a question is open and reads the hosts file and resolv.conf anew.
///
/// A silent server is asked for two seconds, then for four: within the usual time to connect.
final class AresNames: Sendable {
    private static let patience: Int32 = 2_000
    private static let tries: Int32 = 2

    private let servers: String
    private let inbox = Mutex<(asked: [Question], isRunning: Bool)>(([], false))
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
                    { context, address, size, life in object(context, Question.self)?.found(address, size, life) },
                    { context in object(context, Question.self)?.end() },
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

    func found(_ address: UnsafeRawPointer?, _ size: UInt32, _ timeToLive: Int32) {
        answer.timeToLive = min(answer.timeToLive, Int64(timeToLive))
        guard let address else { return }
        if let found = SocketAddress(address.assumingMemoryBound(to: sockaddr.self), size: size) {
            answer.addresses.append(found.address)
        }
    }

    func end() {
        isAnswered = true
        done(answer)
    }
}

/// Families take turns, IPv6 first (RFC 8305 section 4); within one each viewer has its own order, which other addresses'
/// coming and going does not change; rule 9 of RFC 6724 would send all to one address.
struct AddressList {
    static let none = AddressList([])

    private let addresses: [IPAddress]
    private let hashes: [UInt64]
    private let version6Count: Int

    init(_ given: [IPAddress]) {
        let addresses = given.sorted()
        self.addresses = addresses
        hashes = addresses.map { Self.mixed(Self.hash(of: $0)) }
        version6Count = addresses.firstIndex { !$0.isVersion6 } ?? addresses.count
    }

    var count: Int { addresses.count }
    var isEmpty: Bool { addresses.isEmpty }

    /// nil after the last.
    func address(after tried: Int, chance: UInt32) -> IPAddress? {
        guard tried < addresses.count else { return nil }
        guard addresses.count > 1 else { return addresses.first }
        let (version6, version4) = (0..<version6Count, version6Count..<addresses.count)
        let turns = 2 * min(version6.count, version4.count)
        let (family, rank) =
            if tried < turns {
                (tried.isMultiple(of: 2) ? version6 : version4, tried / 2)
            } else {
                (version6.count > version4.count ? version6 : version4, tried - turns / 2)
            }
        let precedes = { (left: Int, right: Int) in weight(of: left, chance) < weight(of: right, chance) }
        guard rank > 0 else { return family.min(by: precedes).map { addresses[$0] } }
        return addresses[family.sorted(by: precedes)[rank]]
    }

    /// An address of another family is raced.
    func changesFamily(after tried: Int, chance: UInt32) -> Bool {
        guard tried > 0, let next = address(after: tried, chance: chance) else { return false }
        return next.isVersion6 != address(after: tried - 1, chance: chance)?.isVersion6
    }

    private func weight(of index: Int, _ chance: UInt32) -> UInt64 {
        Self.mixed(hashes[index] ^ Self.mixed(UInt64(chance)))
    }

    /// Hash of the 24 bytes that follow the port in a socket's address; equal on every machine and in every release.
    private static func hash(of address: IPAddress) -> UInt64 {
        var hash = FNV1a()
        let bytes = (address.isVersion6 ? [0, 0, 0, 0] : []) + address.bytes
        for index in 0..<24 { hash.add(index < bytes.count ? UInt64(bytes[index]) : 0) }
        return hash.value
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var generator = SplitMix64(seed: value)
        return generator.next()
    }
}

/// Host, in lower case, without brackets or a final dot, and port to connect to, as changed by `connectTo`.
typealias ConnectionPlace = (host: String, port: UInt16)

/// Places and addresses for which no name server is asked, as in curl's `--connect-to` and `--resolve`.
///
/// The first match counts; unreadable entries are ignored, because profiles are checked before.
struct FixedPlaces: Sendable {
    /// nil stands for any host or port, in `to` for the origin's own.
    private typealias Detour = (fromHost: String?, fromPort: UInt16?, toHost: String?, toPort: UInt16?)
    /// `*` for any host.
    private typealias Answer = (host: String, port: UInt16, addresses: [IPAddress])

    private let detours: [Detour]
    private let answers: [Answer]

    init(resolve: [String], connectTo: [String]) {
        answers = resolve.compactMap(Self.answer)
        detours = connectTo.compactMap(Self.detour)
    }

    func place(of host: String, port: UInt16) -> ConnectionPlace {
        let entry = detours.first { ($0.fromHost ?? host) == host && ($0.fromPort ?? port) == port }
        return (entry?.toHost ?? host, entry?.toPort ?? port)
    }

    /// Empty where a name server is asked.
    func addresses(of place: ConnectionPlace) -> [IPAddress] {
        if let address = IPAddress(place.host) { return [address] }
        let entry =
            answers.first { $0.host == place.host && $0.port == place.port }
            ?? answers.first { $0.host == "*" && $0.port == place.port }
        return entry?.addresses ?? []
    }

    /// `HOST:PORT:ADDRESS[,ADDRESS]...`.
    private static func answer(_ text: String) -> Answer? {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let port = UInt16(parts[1]) else { return nil }
        let addresses = parts[2].split(separator: ",").compactMap { IPAddress(bare($0)) }
        guard !addresses.isEmpty else { return nil }
        return (bare(parts[0]), port, addresses)
    }

    /// `HOST1:PORT1:HOST2:PORT2`; each part may be empty.
    private static func detour(_ text: String) -> Detour? {
        let parts = text.partsBetweenColons
        guard parts.count == 4 else { return nil }
        let hosts = [parts[0], parts[2]].map { $0.isEmpty ? nil : bare($0) }
        return (hosts[0], UInt16(parts[1]), hosts[1], UInt16(parts[3]))
    }

    /// As in `RequestTarget`.
    private static func bare(_ text: Substring) -> String {
        let host = text.lowercased().withoutBrackets
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }
}
