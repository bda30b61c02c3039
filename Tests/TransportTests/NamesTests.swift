import Rules
import Synchronization
import Testing
import Values

@testable import Transport

/// Answers that a test changes while a transport asks for them.
final class ScriptedNames: Sendable {
    private struct State {
        var addresses: [String] = []
        var timeToLive: Int64 = 0
        var asked: [String] = []
        var now = Instant(nanoseconds: 1)
    }

    private let state = Mutex(State())

    init(_ addresses: [String], timeToLive: Int64 = 30) {
        state.withLock { ($0.addresses, $0.timeToLive) = (addresses, timeToLive) }
    }

    var asked: [String] { state.withLock { $0.asked } }
    var now: Instant { state.withLock { $0.now } }

    func move(to addresses: [String]) { state.withLock { $0.addresses = addresses } }

    func wait(_ duration: Duration) { state.withLock { $0.now = $0.now.later(by: duration) } }

    func ask(_ host: String, _ done: @escaping @Sendable (NameAnswer) -> Void) {
        let answer = state.withLock { state in
            state.asked.append(host)
            let addresses = state.addresses.compactMap { IPAddress($0) }
            return NameAnswer(addresses: addresses, timeToLive: state.timeToLive)
        }
        Task { done(answer) }
    }

    func table(timeToLive: Duration? = nil) -> NameTable {
        NameTable(timeToLive: timeToLive, clock: { self.now }, ask: { self.ask($0, $1) })
    }
}

extension NameTable {
    fileprivate func known(_ host: String) async -> KnownName {
        await withCheckedContinuation { continuation in
            let known = lookUp(host) { continuation.resume(returning: $0) }
            if let known { continuation.resume(returning: known) }
        }
    }
}

/// One question for each name and time to live, and each viewer's own order of the answer.
///
/// Over sockets, because some questions go to a server of names.
@Suite(.timeLimit(.minutes(15))) struct NamesTests {
    private static let lives: [(said: Int64, setting: Int?, life: Int)] = [
        (30, nil, 30), (30, 5, 5), (0, nil, 1), (-1, nil, 1), (1 << 40, nil, 86_400),
    ]

    @Test func whoeverWantsANameAsksOnce() async throws {
        let names = ScriptedNames(["127.0.0.3", "127.0.0.2", "::1", "127.0.0.2"])
        let table = names.table()
        let answers = await withTaskGroup(of: KnownName.self) { group in
            for _ in 0..<50 { group.addTask { await table.known("a.test") } }
            return await group.reduce(into: [KnownName]()) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0.addresses.map(\.text) == ["::1", "127.0.0.2", "127.0.0.3"] })
        #expect(names.asked == ["a.test"])
        _ = await table.known("b.test")
        #expect(names.asked == ["a.test", "b.test"])
    }

    /// What the answer says counts, then the setting; no answer is asked for more often than once a second.
    @Test(arguments: lives) func aNameIsAskedAgainWhenItsTimeIsOver(said: Int64, setting: Int?, life: Int) async throws
    {
        let names = ScriptedNames(["127.0.0.2"], timeToLive: said)
        let table = names.table(timeToLive: setting.map { .seconds($0) })
        _ = await table.known("a.test")
        names.move(to: ["127.0.0.3"])
        names.wait(.seconds(life) - .nanoseconds(1))
        #expect(await table.known("a.test").addresses.map(\.text) == ["127.0.0.2"])
        names.wait(.nanoseconds(1))
        #expect(await table.known("a.test").addresses.map(\.text) == ["127.0.0.3"])
        #expect(names.asked.count == 2)
    }

    @Test func aNameWithoutAnAddressIsAskedAgainAfterASecond() async throws {
        let names = ScriptedNames([])
        let table = names.table(timeToLive: .seconds(60))
        #expect(await table.known("none.test").addresses.isEmpty)
        #expect(await table.known("none.test").addresses.isEmpty)
        #expect(names.asked.count == 1)
        names.wait(.seconds(1))
        names.move(to: ["127.0.0.2"])
        #expect(await table.known("none.test").addresses.count == 1)
    }

    @Test func thousandsOfAddressesAndNamesAreBounded() async throws {
        let many = (0..<10_000).map { "127.\($0 / 250).\($0 % 250).1" } + (1...300).map { "::\($0)" }
        let table = ScriptedNames(many).table()
        let known = await table.known("many.test")
        #expect(known.addresses.count == 2 * NameTable.mostAddresses)
        #expect(known.addresses.filter(\.isVersion6).count == NameTable.mostAddresses)
        #expect((known.leftOut, table.leftOut(of: "many.test")) == (9_788, 9_788))
        #expect(table.leftOut(of: "other.test") == 0)
        let names = ScriptedNames(["127.0.0.2"])
        let other = names.table()
        for number in 0..<5_000 { _ = await other.known("\(number).test") }
        _ = await other.known("4999.test")
        #expect(names.asked.count == 5_000, "the latest is not forgotten")
    }

    @Test func eachViewerHasAnOrderOfItsOwn() throws {
        let texts = ["127.0.0.2", "127.0.0.3", "::1", "::2", "::3"]
        let addresses = texts.compactMap(IPAddress.init)
        let (all, turned) = (AddressList(addresses), AddressList(addresses.reversed()))
        var firsts: [String: Int] = [:]
        for viewer in UInt32(0)..<2_000 {
            let order = texts.indices.compactMap { all.address(after: $0, chance: viewer)?.text }
            #expect(Set(order) == Set(texts))
            #expect(order.map { $0.contains(":") } == [true, false, true, false, true], "families take turns")
            #expect(order == texts.indices.compactMap { turned.address(after: $0, chance: viewer)?.text })
            firsts[order[1], default: 0] += 1
        }
        #expect(firsts.count == 2 && firsts.values.allSatisfy { (900...1_100).contains($0) })
        #expect(all.address(after: texts.count, chance: 1) == nil)
    }

    /// Rendezvous hashing: an address that leaves takes along only those who were on it.
    @Test func aViewerStaysWhereItIsWhenAnotherAddressGoes() throws {
        let addresses = (1...5).compactMap { IPAddress("127.0.0.\($0)") }
        let (before, after) = (AddressList(addresses), AddressList(Array(addresses.dropLast())))
        for viewer in UInt32(0)..<500 {
            let first = try #require(before.address(after: 0, chance: viewer))
            guard first != addresses.last else { continue }
            #expect(after.address(after: 0, chance: viewer) == first)
        }
    }

    @Test(.eachCarrier) func viewersSpreadOverAllAddressesAndFollowTheName() async throws {
        let server = try ScriptedServer(address: "0.0.0.0", script: always(.send(answer("200 OK", "fine")), .close))
        defer { server.stop() }
        let names = ScriptedNames(["127.0.0.2", "127.0.0.3"])
        let configuration = TransportConfiguration.with {
            ($0.authorisedHosts, $0.seed) = (AuthorisedHosts(["pool.test"]), 7)
            $0.names = NameTable { names.ask($0, $1) }
        }
        let url = "http://pool.test:\(server.port)/"
        try await TransportFixture.run(configuration) { fixture in
            try await fixture.onLoop {
                for owner in 0..<400 { _ = try fixture.owner(owner, sourceAddressIndex: owner) }
            }
            try await fixture.startAll(url, owners: 0..<400)
            let first = await fixture.results(400)
            #expect(first.allSatisfy { $0.failure == nil && $0.body == "fine" })
            let counts = Dictionary(grouping: first, by: \.remoteAddress).mapValues(\.count)
            #expect(Set(counts.keys) == ["127.0.0.2:\(server.port)", "127.0.0.3:\(server.port)"])
            #expect(counts.values.allSatisfy { (160...240).contains($0) }, "\(counts)")
            #expect(names.asked == ["pool.test"], "one question for all of them")
        }
    }

    @Test(.eachCarrier) func aNameWithoutAnAddressFailsAsADNSFailure() async throws {
        let names = ScriptedNames([])
        let configuration = TransportConfiguration.with {
            ($0.authorisedHosts, $0.names) = (AuthorisedHosts(["*.test"]), NameTable { names.ask($0, $1) })
        }
        try await TransportFixture.run(configuration) { fixture in
            try await fixture.startAll("http://none.test/", owners: 0..<20)
            #expect(await fixture.results(20).allSatisfy { $0.failure == .dns && $0.sends == 0 })
            #expect(names.asked == ["none.test"])
        }
    }

    /// The name of a redirect's place is looked up as well, and with the viewer's own order.
    @Test(.eachCarrier) func theNameOfARedirectIsLookedUp() async throws {
        let server = try ScriptedServer { request in
            let place = request.header("host")?.replacing("one.test", with: "two.test") ?? ""
            guard request.path == "/" else { return [.send(answer("200 OK", "there"))] }
            return [.send(answer("302 Found", headers: ["Location: http://\(place)/there"]))]
        }
        defer { server.stop() }
        let names = ScriptedNames(["127.0.0.1"])
        let configuration = TransportConfiguration.with {
            ($0.authorisedHosts, $0.names) = (AuthorisedHosts(["*.test"]), NameTable { names.ask($0, $1) })
        }
        try await TransportFixture.run(configuration) { fixture in
            let result = try await fixture.get("http://one.test:\(server.port)/")
            #expect((result.failure, result.body, result.redirects) == (nil, "there", 1))
            #expect(names.asked == ["one.test", "two.test"])
        }
    }
}
