import AdServing
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing
import Time

@testable import BreakCalls
@testable import LoadProfile

/// The ways that calls come by.
@Suite struct CallWaysTests {
    private static let token = "Hush-4f1c9d27e8"

    /// What a run is told while it takes calls.
    private final class Told: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func tell(_ line: String) { lines.withLock { $0.append(line) } }
    }

    private func plan(_ change: (inout TriggerPlan) -> Void) -> TriggerPlan {
        var trigger = TriggerPlan()
        trigger.mostPerMinute = 60
        change(&trigger)
        return trigger
    }

    /// Takes calls for a run of an hour, and closes all whatever becomes of the body.
    private func taking(
        _ trigger: TriggerPlan,
        file: String? = nil,
        _ body: (CallWays, Told) async throws -> Void
    ) async throws {
        let ways = try await CallWays(trigger, file: file)
        let breaks = BreakPlan.called(trigger)
        let start = WallTime(microseconds: 1_795_291_200_000_000)
        let desk = CallDesk(breaks, trigger, run: start..<start + .seconds(3_600)) { _ in }
        let told = Told()
        ways.begin(desk, now: { start }, tell: told.tell)
        do {
            try await body(ways, told)
            await ways.close()
        } catch {
            await ways.close()
            throw error
        }
    }

    private func port(of ways: CallWays) throws -> UInt16 {
        let invitation = try #require(ways.invitations.first)
        let digits = invitation.split(separator: ":").last?.prefix { $0.isNumber } ?? ""
        return try #require(UInt16(digits))
    }

    /// What comes back for exactly these bytes, up to the end of the connection.
    private func raw(_ request: String, port: UInt16) async throws -> String {
        // A thread of its own waits: the server answers on those of the pool.
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try Self.exchange(request, port: port) }) }
        }
    }

    private static func exchange(_ request: String, port: UInt16) throws -> String {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let bytes = Array(request.utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else { throw POSIXError(.EPIPE) }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
            answer += buffer[..<count]
        }
    }

    private func call(
        _ body: String,
        to port: UInt16,
        _ fields: [String] = [],
        head: String = "POST /breaks",
        host: String = "127.0.0.1"
    ) async throws -> (status: String, body: String) {
        let lines = ["\(head) HTTP/1.1", "Host: \(host)", "Content-Length: \(body.utf8.count)", "Connection: close"]
        let answer = try await raw((lines + fields).joined(separator: "\r\n") + "\r\n\r\n\(body)", port: port)
        let status = answer.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        return (status, answer.components(separatedBy: "\r\n\r\n").dropFirst().joined())
    }

    private let loopback = TriggerPlan.Address(host: "127.0.0.1", port: 0)

    @Test func aRequestIsAnsweredWithTheBreakOrTheReason() async throws {
        try await taking(plan { $0.http = loopback }) { ways, told in
            let port = try port(of: ways)
            let taken = try await call(
                #"{"in_ms": 30000, "duration_ms": 15000, "scte35": "/DA=", "id": "goal"}"#,
                to: port
            )
            #expect(taken.status == "202")
            let expected =
                #"{"duration_ms":15000,"id":"goal","ordinal":1,"scte35":"/DA=","start":"2026-11-21T20:00:30.000Z"}"#
            #expect(taken.body == expected + "\n")
            #expect(try await call("", to: port).status == "202")
            #expect(try await call("15s", to: port).status == "409")
            #expect(
                try await call("15", to: port) == (
                    "400", "the call is neither a duration such as 15s nor a JSON object\n"
                )
            )
            #expect(try await call(#"{"in_ms": 1}"#, to: port).status == "422")
            #expect(try await call(#"{"in_ms": 90000, "id": "goal"}"#, to: port).status == "409")
            #expect(try await call(String(repeating: " ", count: 5_000), to: port).status == "413")
            #expect(try await call("", to: port, head: "GET /breaks").status == "405")
            #expect(try await call("", to: port, head: "POST /").status == "404")
            #expect(told.all.count { $0.contains("is called for by HTTP") } == 2)
            #expect(told.all.count { $0.contains("is refused") } == 4)
        }
    }

    /// A page in a browser of this machine can send here what it likes, by whatever name it gave to 127.0.0.1.
    @Test func noWebPageCallsForBreaks() async throws {
        try await taking(plan { $0.http = loopback }) { ways, _ in
            let port = try port(of: ways)
            #expect(try await call("", to: port, ["Origin: https://example.com"]).status == "403")
            #expect(try await call("", to: port, host: "example.com").status == "421")
            #expect(try await call("", to: port, host: "localhost").status == "202")
        }
    }

    @Test func aTokenIsAskedFor() async throws {
        let trigger = plan {
            $0.http = loopback
            $0.token = Self.token
        }
        try await taking(trigger) { ways, _ in
            let port = try port(of: ways)
            #expect(try await call("", to: port).status == "401")
            #expect(try await call("", to: port, ["Authorization: Bearer \(Self.token)x"]).status == "401")
            #expect(try await call("", to: port, ["Authorization: Bearer \(Self.token)"]).status == "202")
        }
    }

    @Test func noCallIsTakenWhenTheRunIsOver() async throws {
        try await taking(plan { $0.http = loopback }) { ways, _ in
            let port = try port(of: ways)
            ways.end()
            #expect(try await call("", to: port).status == "503")
        }
    }

    @Test func aTakenPortIsSaid() async throws {
        try await taking(plan { $0.http = loopback }) { ways, _ in
            let taken = TriggerPlan.Address(host: "127.0.0.1", port: Int(try port(of: ways)))
            let error = await #expect(throws: CannotTakeCalls.self) {
                _ = try await CallWays(plan { $0.http = taken }, file: nil)
            }
            #expect(error?.description == "cannot listen on 127.0.0.1:\(taken.port): Address already in use")
        }
    }

    @Test func linesThatAreAppendedToAFileAreCalls() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("1s\n2s\n", to: "calls")
        try await taking(plan { $0.file = "calls" }, file: file) { _, told in
            let writer = try #require(FileHandle(forWritingAtPath: file))
            defer { try? writer.close() }
            try writer.seekToEnd()
            try writer.write(contentsOf: Data("15s\n\nnonsense\n{\"in_ms\": 60000}".utf8))
            #expect(try await Patience.sees { told.all.contains { $0.contains("is refused") } })
            // The last line is not over.
            #expect(told.all.count { $0.contains("is called for") } == 1)
            try writer.write(contentsOf: Data("\n".utf8))
            #expect(try await Patience.sees { told.all.contains { $0.contains("Break call-2 of 10s") } })
            try writer.truncate(atOffset: 0)
            try writer.write(contentsOf: Data("{\"in_ms\": 120000, \"id\": \"anew\"}\n".utf8))
            #expect(try await Patience.sees { told.all.contains { $0.contains("Break anew") } })
            #expect(told.all.contains { $0.contains("Break call-1 of 15s is called for by \(file)") })
        }
    }

    @Test func aNamedPipeIsReadWhoeverWritesToIt() async throws {
        let folder = try TemporaryFolder()
        let pipe = folder.file("pipe").path
        #expect(mkfifo(pipe, 0o600) == 0)
        try await taking(plan { $0.file = "pipe" }, file: pipe) { _, told in
            for (number, line) in ["15s", "{\"in_ms\": 60000}"].enumerated() {
                // Each writer leaves, and the pipe stays.
                let writer = try #require(FileHandle(forWritingAtPath: pipe))
                try writer.write(contentsOf: Data("\(line)\n".utf8))
                try writer.close()
                #expect(try await Patience.sees { told.all.contains { $0.contains("Break call-\(number + 1)") } })
            }
        }
    }

    @Test func hostileLinesEndNothingAndAreToldOfOnlySoOften() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("", to: "calls")
        try await taking(plan { $0.file = "calls" }, file: file) { _, told in
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
            #expect(try await Patience.sees { told.all.contains { $0.contains("is called for by \(file)") } })
            let refused = told.all.filter { $0.contains("is refused") }
            #expect(refused.count == 20)
            #expect(refused.last?.hasSuffix("Further ones are only counted.") == true)
        }
    }
}
