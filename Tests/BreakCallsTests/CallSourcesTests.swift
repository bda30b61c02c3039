import AdServing
import Foundation
import Glibc
import TestSupport
import Testing
import Values

@testable import Profile
@testable import Rehearsal

/// Over sockets, because who calls is another program.
@Suite(.timeLimit(.minutes(15))) struct CallSourcesTests {
    private static let token = "Hush-4f1c9d27e8"

    private static func plan(_ change: (inout TriggerPlan) -> Void = { $0.http = loopback }) -> TriggerPlan {
        var trigger = TriggerPlan()
        trigger.mostPerMinute = 60
        change(&trigger)
        return trigger
    }

    /// Takes calls for a run of an hour, and closes all whatever becomes of the body.
    private func taking(
        _ trigger: TriggerPlan = plan(),
        file: String? = nil,
        _ body: (CallSources, Watched<[String]>) async throws -> Void
    ) async throws {
        let sources = try await CallSources(trigger, file: file)
        let breaks = BreakPlan.called(trigger)
        let start = WallTime(microseconds: 1_795_291_200_000_000)
        let scheduler = CallScheduler(breaks, trigger, run: start..<start + .seconds(3_600)) { _ in }
        let told = Watched<[String]>([])
        sources.begin(scheduler, now: { start }, tell: { line in told.change { $0.append(line) } })
        try await ending({ await sources.close() }, after: { try await body(sources, told) })
    }

    private static func port(of sources: CallSources) throws -> Int {
        let invitation = try #require(sources.invitations.first)
        return try #require(Int(invitation.split(separator: ":").last?.prefix { $0.isNumber } ?? ""))
    }

    private static func call(
        _ body: String,
        to sources: CallSources,
        _ fields: [String] = [],
        head: String = "POST /breaks",
        host: String = "127.0.0.1"
    ) async throws -> RawConnection.Answer {
        let lines = ["\(head) HTTP/1.1", "Host: \(host)", "Content-Length: \(body.utf8.count)", "Connection: close"]
        let request = (lines + fields).joined(separator: "\r\n") + "\r\n\r\n\(body)"
        return try await RawConnection.answer(to: request, port: port(of: sources))
    }

    private static let loopback = ListeningAddress(host: "127.0.0.1", port: 0)

    @Test func aRequestIsAnsweredWithTheBreakOrTheReason() async throws {
        try await taking { sources, told async throws in
            let own = #"{"in_ms": 30000, "duration_ms": 15000, "scte35": "/DA=", "id": "goal"}"#
            let taken = try await Self.call(own, to: sources)
            #expect(taken.status == 202)
            let expected =
                #"{"duration_ms":15000,"id":"goal","ordinal":1,"scte35":"/DA=","start":"2026-11-21T20:00:30.000Z"}"#
            #expect(taken.body == expected + "\n")
            #expect(try await Self.call("", to: sources).status == 202)
            #expect(try await Self.call("15s", to: sources).status == 409)
            let malformed = try await Self.call("15", to: sources)
            #expect(malformed.status == 400)
            #expect(malformed.body == "the call is neither a duration such as 15s nor a JSON object\n")
            #expect(try await Self.call(#"{"in_ms": 1}"#, to: sources).status == 422)
            #expect(try await Self.call(#"{"in_ms": 90000, "id": "goal"}"#, to: sources).status == 409)
            #expect(try await Self.call(String(repeating: " ", count: 5_000), to: sources).status == 413)
            #expect(try await Self.call("", to: sources, head: "GET /breaks").status == 405)
            #expect(try await Self.call("", to: sources, head: "POST /").status == 404)
            #expect(told.value.count { $0.contains("is called for by HTTP") } == 2)
            #expect(told.value.count { $0.contains("is refused") } == 4)
        }
    }

    /// A page in a browser of this machine can send here what it likes, by whatever name it gave to 127.0.0.1.
    @Test func noWebPageCallsForBreaks() async throws {
        try await taking { sources, _ async throws in
            #expect(try await Self.call("", to: sources, ["Origin: https://example.com"]).status == 403)
            #expect(try await Self.call("", to: sources, host: "example.com").status == 421)
            #expect(try await Self.call("", to: sources, host: "localhost").status == 202)
        }
    }

    @Test func aTokenIsAskedFor() async throws {
        let trigger = Self.plan {
            $0.http = Self.loopback
            $0.token = Self.token
        }
        try await taking(trigger) { sources, _ async throws in
            #expect(try await Self.call("", to: sources).status == 401)
            #expect(try await Self.call("", to: sources, ["Authorization: Bearer \(Self.token)x"]).status == 401)
            #expect(try await Self.call("", to: sources, ["Authorization: Bearer \(Self.token)"]).status == 202)
        }
    }

    @Test func noCallIsTakenWhenTheRunIsOver() async throws {
        try await taking { sources, _ async throws in
            sources.end()
            #expect(try await Self.call("", to: sources).status == 503)
        }
    }

    @Test func aTakenPortIsSaid() async throws {
        try await taking { sources, _ async throws in
            let taken = ListeningAddress(host: "127.0.0.1", port: try Self.port(of: sources))
            let error = await #expect(throws: CommandFailure.self) {
                _ = try await CallSources(Self.plan { $0.http = taken }, file: nil)
            }
            #expect(
                error?.message
                    == "breaks.source.trigger: cannot listen on 127.0.0.1:\(taken.port): Address already in use"
            )
        }
    }

    @Test func linesThatAreAppendedToAFileAreCalls() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("1s\n2s\n", to: "calls")
        try await taking(Self.plan { $0.file = "calls" }, file: file) { _, told in
            let writer = try #require(FileHandle(forWritingAtPath: file))
            defer { try? writer.close() }
            try writer.seekToEnd()
            try writer.write(contentsOf: Data("15s\n\nnonsense\n{\"in_ms\": 60000}".utf8))
            try await told.wait { $0.contains { $0.contains("is refused") } }
            // The last line is not over.
            #expect(told.value.count { $0.contains("is called for") } == 1)
            try writer.write(contentsOf: Data("\n".utf8))
            try await told.wait { $0.contains { $0.contains("Break call-2 of 10s") } }
            try writer.truncate(atOffset: 0)
            try writer.write(contentsOf: Data("{\"in_ms\": 120000, \"id\": \"anew\"}\n".utf8))
            try await told.wait { $0.contains { $0.contains("Break anew") } }
            #expect(told.value.contains { $0.contains("Break call-1 of 15s is called for by \(file)") })
        }
    }

    @Test func aNamedPipeIsReadWhoeverWritesToIt() async throws {
        let folder = try TemporaryFolder()
        let pipe = folder.file("pipe").path
        #expect(mkfifo(pipe, 0o600) == 0)
        try await taking(Self.plan { $0.file = "pipe" }, file: pipe) { _, told in
            for (number, line) in ["15s", "{\"in_ms\": 60000}"].enumerated() {
                // Each writer leaves, and the pipe stays.
                let writer = try #require(FileHandle(forWritingAtPath: pipe))
                try writer.write(contentsOf: Data("\(line)\n".utf8))
                try writer.close()
                try await told.wait { $0.contains { $0.contains("Break call-\(number + 1)") } }
            }
        }
    }

    @Test func hostileLinesEndNothingAndAreToldOfOnlySoOften() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("", to: "calls")
        try await taking(Self.plan { $0.file = "calls" }, file: file) { _, told in
            let writer = try #require(FileHandle(forWritingAtPath: file))
            defer { try? writer.close() }
            var random = SeededGenerator(seed: 7)
            for _ in 0..<40 {
                let length = Int(random.next() % 9_000) + 1
                // No line of these is a duration.
                let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) | 0x80 }
                try writer.write(contentsOf: Data(bytes + [0x0A]))
            }
            try writer.write(contentsOf: Data("15s\n".utf8))
            try await told.wait { $0.contains { $0.contains("is called for by \(file)") } }
            let refused = told.value.filter { $0.contains("is refused") }
            #expect(refused.count == 20)
            #expect(refused.last?.hasSuffix("Further ones are only counted.") == true)
        }
    }
}
