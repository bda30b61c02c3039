import Foundation
import FoundationNetworking
import Rehearsal
import Report
import Results
import TestSupport
import Testing
import Transport
import Values

/// Over sockets, because pages and scrapers have no other way to a run.
@Suite struct LiveServerTests {
    /// Both pages behind one free port, closed whatever happens.
    private func serving(_ body: (LiveServer, PageClient) async throws -> Void) async throws {
        let address = try ListeningAddress(parsing: "127.0.0.1:0")
        let server = try await LiveServer(metrics: address, dashboard: address)
        try await ending {
            await server.stop()
        } after: {
            try await body(server, PageClient(base: try #require(server.dashboardURL)))
        }
    }

    @Test func bothPagesShareAPort() async throws {
        try await serving { server, client in
            #expect(server.metricsURL == server.dashboardURL.map { $0 + "metrics" })
            let metrics = try await client.get("metrics")
            #expect(metrics.status == 200)
            let page = try await client.get("")
            #expect(page.body.contains("<h1>"))
        }
    }

    @Test func aPageOfMetricsAloneSaysWhereTheyAre() async throws {
        let server = try await LiveServer(metrics: try ListeningAddress(parsing: "[::1]:0"), dashboard: nil)
        let url = try #require(server.metricsURL)
        #expect(url.hasPrefix("http://[::1]:"))
        let client = PageClient(base: String(url.dropLast("metrics".count)))
        // Foundation's own client takes no IPv6 address.
        let end = "HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n"
        #expect(try await client.raw("GET / \(end)").contains("/metrics"))
        #expect(try await client.raw("GET /events \(end)").hasPrefix("HTTP/1.1 404 "))
        await server.stop()
    }

    @Test func aPortInUseIsSaidBeforeAnythingElse() async throws {
        try await serving { _, client in
            let taken = try ListeningAddress(parsing: client.authority)
            let refusal = await #expect(throws: CannotListen.self) {
                try await LiveServer(metrics: try ListeningAddress(parsing: "127.0.0.1:0"), dashboard: taken)
            }
            #expect(refusal?.address == taken)
            #expect(refusal?.reason == "Address already in use")
        }
    }

    @Test func metricsAreThoseOfTheLastState() async throws {
        try await serving { server, client in
            server.show(LiveExample.filled(), at: 1)
            let answer = try await client.get("metrics") { $0.body.contains("podswarm_run_info") }
            #expect(answer.fields["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(try Exposition(answer.body).sum("podswarm_requests_total") == 12)
        }
    }

    @Test func textOfTheRunIsNoMarkup() async throws {
        try await serving { server, client in
            server.show(LiveExample.state(LoopRecorder(), labels: ["<i>": "\"><script>x"]), at: 1)
            let page = try await client.get("") { $0.body.contains("quick") }
            #expect(!page.body.contains("<i>"))
            #expect(!page.body.contains("<script>x"))
            #expect(page.body.contains("&lt;i&gt;"))
            let policy = try #require(page.fields["Content-Security-Policy"])
            #expect(policy.contains("connect-src 'self'"))
            // The page's own policy knows its script and its style by their digests.
            #expect(page.body.contains("script-src &#39;sha256-"))
        }
    }

    @Test(arguments: [
        ("GET", "evil.example", 421), ("GET", "127.0.0.1", 200), ("HEAD", "localhost:1", 200),
        ("POST", "127.0.0.1", 405), ("DELETE", "127.0.0.1", 405), ("GET", "[::1]evil", 421),
        ("GET", "127.0.0.1\r\nHost: evil.example", 400), ("GET http://evil.example", "127.0.0.1", 421),
    ])
    func strangersAreRefused(method: String, host: String, status: Int) async throws {
        try await serving { _, client in
            let answer = try await client.raw(
                "\(method.contains(" ") ? method : method + " ")/metrics HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
            )
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
        }
    }

    @Test func bodiesAndEndlessHeadsAreNotRead() async throws {
        try await serving { _, client in
            let head = "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            #expect(try await client.raw(head + "Content-Length: 99999999999\r\n\r\n").hasPrefix("HTTP/1.1 413 "))
            #expect(try await client.raw(head + "Transfer-Encoding: chunked\r\n\r\n").hasPrefix("HTTP/1.1 413 "))
            let endless = try await client.raw(head + "X: " + String(repeating: "x", count: 200_000))
            #expect(!endless.hasPrefix("HTTP/1.1 2"))
        }
    }

    @Test func aPageIsToldTheRunSoFarThenEverySecondThenTheEnd() async throws {
        try await serving { server, client in
            server.show(LiveExample.filled(), at: 1)
            _ = try await client.get("metrics") { $0.body.contains("podswarm_run_info") }
            let events = try await client.events()
            let whole = try #require(await events.next())
            #expect(whole.name == "whole")
            #expect(Set(try Self.sections(whole).keys).isSuperset(of: ["verdict", "now", "breaks", "findings", "run"]))
            server.show(LiveExample.state(LoopRecorder(), seconds: 90), at: 600)
            let update = try #require(await events.next())
            #expect(update.name == "update")
            // What did not change is not sent again.
            #expect(try Self.sections(update)["notes"] == nil)
            #expect(try #require(Self.sections(update)["verdict"]).contains("1:30"))
            #expect(server.awaited == ["a last scrape"])
            await server.end(try LiveExample.document(), report: "<!doctype html><title>the report</title>")
            #expect(server.awaited == ["an open page", "a last scrape"])
            #expect(await events.next()?.name == "end")
            #expect(await events.next() == nil)
            #expect(try await client.get("report").body.contains("the report"))
            #expect(try await client.get("").body.contains("the report"))
            #expect(!server.awaited.contains("an open page"))
            #expect(try Exposition(try await client.get("metrics").body).value("podswarm_run_ended") == 1)
            await server.linger(atMost: .seconds(60)) { false }
            #expect(server.awaited == [])
        }
    }

    private struct Told: Decodable {
        var order: [String]
        var html: [String: String]
    }

    /// HTML by anchor; each anchor has its place.
    private static func sections(_ event: Events.Event) throws -> [String: String] {
        let told = try JSONDecoder().decode(Told.self, from: Data(event.data.utf8))
        #expect(Set(told.order).isSuperset(of: told.html.keys))
        return told.html
    }

    @Test func aLateComerIsToldTheEndAtOnce() async throws {
        try await serving { server, client in
            server.show(LiveExample.filled(), at: 1)
            await server.end(try LiveExample.document(), report: "over")
            let events = try await client.events()
            #expect(await events.next()?.name == "whole")
            #expect(await events.next()?.name == "end")
            #expect(await events.next() == nil)
        }
    }

    @Test func pagesAreBounded() async throws {
        try await serving { server, client in
            server.show(LiveExample.filled(), at: 1)
            var open: [Events] = []
            for _ in 0..<32 { open.append(try await client.events()) }
            for events in open { #expect(await events.next() != nil) }
            #expect(try await client.get("events").status == 503)
            #expect(try await client.get("metrics").status == 200)
        }
    }

    @Test func nobodyIsWaitedForLongerThanAsked() async throws {
        try await serving { server, _ in
            await server.end(try LiveExample.document(), report: "over")
            await server.linger(atMost: .milliseconds(100)) { false }
            #expect(server.awaited == ["a last scrape"])
            await server.linger(atMost: .seconds(600)) { true }
        }
    }
}

extension LiveServer {
    fileprivate func show(_ state: LiveState, at seconds: Double) { publish(at: seconds) { state } }
}
