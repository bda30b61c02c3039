import Report
import Rules
import Synchronization
import Testing
import Values

@testable import Swarm
@testable import Tools

/// Requests of `podswarm lint` that follows a channel, in virtual time.
@Suite struct LintRequestTests {
    private static let content = "multivariant.m3u8"

    private struct Request: Sendable {
        let url: String
        let condition: String?
    }

    private struct Target: Sendable {
        let scenario: FindingScenario
        let clock = SteppedLintClock()
        /// Adds to an answer, or takes its place.
        var change: @Sendable (Request, inout SingleFetch.Answer) -> Void = { _, _ in }

        init(_ title: String) throws {
            scenario = try #require(try FindingScenario.all().first { $0.title == title })
        }

        func answer(_ request: Request) -> SingleFetch.Answer {
            let start = clock.now()
            if let number = request.url.firstMatch(of: /_HLS_msn=(\d+)/).flatMap({ Double($0.1) }) {
                clock.wait(until: number - 100)
            }
            let page = scenario.answer(to: request.url, content: LintRequestTests.content, at: clock.seconds)
            var answer = SingleFetch.Answer(
                failure: nil,
                status: page.status,
                body: Array(page.body.utf8),
                url: request.url,
                redirects: 0,
                leftHost: false,
                headers: ["content-type": page.type, "content-encoding": "gzip"],
                flaws: [],
                startedAt: start,
                doneAt: clock.now(),
                cookies: [],
                neededCookies: false
            )
            change(request, &answer)
            return answer
        }

        func lint() async throws -> (LintDocument, asked: [Request]) {
            let asked = Mutex<[Request]>([])
            var options = LintOptions(ScriptedCrowd.contentURL)
            options.follow = .seconds(30)
            let reader = StreamReader { url, headers in
                let request = Request(url: url, condition: headers.first { $0.name == "If-None-Match" }?.value)
                asked.withLock { $0.append(request) }
                return answer(request)
            }
            let document = try await LintRun(options, reader) { await clock.make($0, for: $1) }.document()
            return (document, asked.withLock { $0 })
        }
    }

    /// The playlist stands still from 5 s on.
    @Test func whatDidNotChangeIsAskedForByItsEntityTag() async throws {
        var target = try Target("stale")
        target.change = { request, answer in
            let tag = "\"\(answer.body.hashValue)\""
            answer.headers["etag"] = tag
            if request.condition == tag { (answer.status, answer.body) = (304, []) }
        }
        let (document, asked) = try await target.lint()
        #expect(asked.first?.condition == nil && asked.dropFirst().allSatisfy { $0.condition != nil })
        let playlist = try #require(document.playlists.first)
        #expect(playlist.reads == asked.count && (5...8).contains(playlist.versions) && playlist.reads > 20)
        #expect(Set(document.findings.map(\.code)) == target.scenario.codes)
    }

    @Test func aPlaylistThatIsHeldIsAskedForByItsNextSegment() async throws {
        let (document, asked) = try await Target("blocking").lint()
        #expect(asked.dropFirst().map(\.url) == (101...131).map { "\(ScriptedCrowd.contentURL)?_HLS_msn=\($0)" })
        #expect(document.findings.map(\.code) == [])
    }

    @Test func playlistsThatWereRenamedAreNamedAsTheCause() async throws {
        let (document, _) = try await Target("moved").lint()
        let found = try #require(document.findings.first { $0.code == "playlist_unavailable" })
        #expect(found.occurrences.first?.first.likely == PlaylistWatch.renamed)
    }

    /// The transport refuses requests to hosts that were not named.
    @Test func aHostThatWasNotNamedIsNotedAndNoFinding() async throws {
        var target = try Target("loose")
        target.change = { request, answer in
            if request.url.hasSuffix("/a.m3u8") { answer.failure = .unauthorisedHost }
        }
        let (document, _) = try await target.lint()
        let note = "is on a host that was not named, so it was not read; --host NAME permits it."
        #expect(document.notes.contains { $0.hasSuffix(note) })
        #expect(Set(document.findings.map(\.code)) == target.scenario.codes && document.exitCode == 0)
    }
}
