import Profile
import Report
import Results
import Rules
import Synchronization
import Testing
import Transport
import Values

@testable import Swarm
@testable import Tools
@testable import Viewer

/// One rule, one severity: `lint`, `check` and `run` find the same in the same channel.
///
/// In virtual time, before targets that files describe: `lint` follows the channel, a check has one viewer, a run has three.
@Suite struct ThreeCommandsTests {
    private static let seconds = 30.0
    private static let scenarios = try? FindingScenario.all()

    @Test func filesHaveScenarios() { #expect((Self.scenarios?.count ?? 0) >= 40) }

    @Test(arguments: scenarios ?? []) func eachCommandFindsTheSame(_ scenario: FindingScenario) async throws {
        let lint = try await Self.lint(scenario)
        let check = try Self.run(scenario, viewers: 1)
        let run = try Self.run(scenario, viewers: 3)
        let told = "lint \(lint.sorted()), check \(check.sorted()), run \(run.sorted())"
        #expect(lint == check && check == run, "\(told)")
        #expect(lint == scenario.codes, "\(told)")
    }

    private static let content = "multivariant.m3u8"

    private static func run(_ scenario: FindingScenario, viewers: Int) throws -> Set<String> {
        let profile = """
            name: same
            duration: 60s
            target: {urlTemplates: {content: "\(ScriptedCrowd.contentURL)"}}
            audience: {viewers: \(viewers), ramp: 0s, personas: [hlsjs]}
            playback: {segments: none}
            breaks: none

            """
        let crowd = try ScriptedCrowd(ProfileReader().read(yaml: profile, path: "same.yaml"), viewers: viewers)
        crowd.join()
        crowd.watch(seconds: seconds, step: 0.05) { request in
            let answer = scenario.answer(to: request.url, content: content, at: crowd.seconds)
            let headers = ["content-type": answer.type, "content-encoding": "gzip"]
            return ScriptedTransport.Reply(
                body: answer.body,
                status: answer.status,
                failure: answer.failure,
                headers: headers,
                flaws: answer.flaws
            )
        }
        for viewer in 0..<viewers { crowd.leave(viewer) }
        return Set(crowd.totals.findings.map(\.code.code))
    }

    private static func lint(_ scenario: FindingScenario) async throws -> Set<String> {
        let clock = SteppedLintClock()
        var options = LintOptions(ScriptedCrowd.contentURL)
        options.follow = .seconds(Int64(seconds))
        let reader = StreamReader { url, _ in
            let now = clock.now()
            let answer = scenario.answer(to: url, content: content, at: clock.seconds)
            return SingleFetch.Answer(
                failure: answer.failure,
                status: answer.status,
                body: Array(answer.body.utf8),
                url: url,
                redirects: 0,
                leftHost: false,
                headers: ["content-type": answer.type, "content-encoding": "gzip"],
                flaws: answer.flaws,
                startedAt: now,
                doneAt: now,
                cookies: [],
                neededCookies: false
            )
        }
        return Set(try await LintRun(options, reader) { await clock.make($0, for: $1) }.document().findings.map(\.code))
    }
}

/// A clock that goes on to the deadline of each load, and to the end of each answer that a target holds.
final class SteppedLintClock: Sendable {
    private let instant = Mutex(ScriptedCrowd.start)

    var seconds: Double { ScriptedCrowd.seconds(now()) }

    func now() -> Instant { instant.withLock { $0 } }

    func wait(until seconds: Double) { instant.withLock { $0 = max($0, ScriptedCrowd.instant(seconds)) } }

    func make(_ loads: [TimedLoad], for duration: Duration) async {
        let end = now().later(by: duration)
        var waiting = loads
        while let next = waiting.indices.min(by: { waiting[$0].deadline < waiting[$1].deadline }),
            waiting[next].deadline < end
        {
            let load = waiting.remove(at: next)
            instant.withLock { $0 = max($0, load.deadline) }
            if let after = await load.load() { waiting.append(after) }
        }
    }
}
