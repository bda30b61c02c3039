import HTTPTypes
import NIOCore
import TestSupport
import Testing
import Transport

/// How connections begin, rest and end.
///
/// Over sockets, because it is the kernel that tells of a connection's end.
@Suite(.timeLimit(.minutes(15))) struct ConnectionTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let last = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

    /// One that only sends nothing more may still listen.
    @Test func aClientThatResetsEndsWhatIsDoneForIt() async throws {
        let tally = Tally()
        try await RunningListener.run { _ in
            tally.add("asked")
            defer { tally.add("ended") }
            try await tally.wait(for: "never")
        } test: { server async throws in
            for turn in 1...3 {
                let client = try server.connection(sending: Self.get)
                try await tally.wait(for: "asked", turn)
                client.reset()
                try await tally.wait(for: "ended", turn)
            }
        }
    }

    @Test func aClientThatReadsNothingIsSentNoMoreThanTheSystemHolds() async throws {
        let tally = Tally()
        try await RunningListener.run { request in
            defer { tally.add("ended") }
            try await request.begin(HTTPResponse(status: .ok))
            while tally["written"] < 64 {
                try await request.write(ByteBuffer(repeating: 0, count: 1 << 20))
                tally.add("written")
            }
        } test: { server async throws in
            let client = try server.connection(sending: Self.get)
            try await tally.wait(for: "written")
            try await server.turns()
            #expect(tally["written"] < 64)
            client.reset()
            try await tally.wait(for: "ended")
        }
    }

    @Test(arguments: [(nil, .milliseconds(100)), (.milliseconds(50), .seconds(3_600))] as [(TimeAmount?, TimeAmount)])
    func aConnectionMayRestAndAHeadMayTakeOnlySoLong(head: TimeAmount?, idle: TimeAmount) async throws {
        try await RunningListener.run(headLimit: head, idleLimit: idle) {
            try await $0.say("x")
        } test: { server async throws in
            // Drops of a head are no reason to wait longer.
            for beginning in ["", "GET / HTTP/1.1\r\nHost: a"] { #expect(try await server.answer(to: beginning) == "") }
        }
    }

    /// Another connection, which came later, has met the limit by the time of the answer.
    @Test(arguments: [(nil, .milliseconds(100)), (.milliseconds(100), .seconds(3_600))] as [(TimeAmount?, TimeAmount)])
    func anAnswerThatTakesLongMeetsNoLimit(head: TimeAmount?, idle: TimeAmount) async throws {
        let tally = Tally()
        try await RunningListener.run(headLimit: head, idleLimit: idle) { request in
            try await tally.wait(for: "another rested")
            try await request.say("x")
        } test: { server async throws in
            let slow = try await server.connectionFound(sending: Self.last)
            #expect(try await server.answer(to: "") == "")
            tally.add("another rested")
            #expect(await slow.answer().text.hasSuffix("x"))
        }
    }

    @Test func othersWaitWhileAllAreBeingAnswered() async throws {
        let tally = Tally()
        try await RunningListener.run(connectionLimit: 1) { request in
            tally.add("asked")
            if tally["asked"] == 1 { try await tally.wait(for: "free") }
            try await request.say("x")
        } test: { server async throws in
            let first = try server.connection(sending: Self.last)
            try await tally.wait(for: "asked")
            let second = try server.connection(sending: Self.last)
            try await server.turns()
            #expect(tally["asked"] == 1)
            tally.add("free")
            for connection in [first, second] { #expect(await connection.answer().text.hasSuffix("x")) }
        }
    }

    @Test func aNewConnectionTakesThePlaceOfTheOneThatRestsLongest() async throws {
        try await RunningListener.run(connectionLimit: 2) { request in
            try await request.say("x")
        } test: { server async throws in
            let resting = try (0..<2).map { _ in try server.connection(sending: "GET / HTTP/1.1\r\nHo") }
            let answer = try await server.answer(to: Self.last)
            #expect(answer.hasSuffix("x"))
            withExtendedLifetime(resting) {}
        }
    }

    @Test func whatIsUnderWayAtTheEndIsAnswered() async throws {
        let tally = Tally()
        try await RunningListener.run(grace: .seconds(3_600)) { request in
            tally.add("asked")
            defer { tally.add("ended") }
            try await tally.wait(for: "stopped")
            try await request.say("x")
        } test: { server async throws in
            let connection = try server.connection(sending: Self.get)
            try await tally.wait(for: "asked")
            async let stop: Void = server.listener.stop()
            try await server.listener.closed.get()
            tally.add("stopped")
            await stop
            #expect(tally["ended"] == 1)
            await server.listener.stop()
            #expect(await connection.answer().text.hasSuffix("x"))
        }
    }

    @Test func halfARequestAtTheEndIsNotAnswered() async throws {
        let tally = Tally()
        try await RunningListener.run { request in
            try await request.say("x")
            tally.add("said")
        } test: { server async throws in
            let connection = try server.connection(sending: Self.get + "GET /half")
            try await tally.wait(for: "said")
            await server.listener.stop()
            #expect(await connection.answer().text == "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        }
    }

    @Test func whatIsUnderWayAtTheEndIsCutWhenItsGraceIsOver() async throws {
        let tally = Tally()
        try await RunningListener.run(grace: .milliseconds(50)) { request in
            tally.add("asked")
            defer { tally.add("ended") }
            try await tally.wait(for: "never")
        } test: { server async throws in
            let connection = try server.connection(sending: Self.get)
            try await tally.wait(for: "asked")
            await server.listener.stop()
            #expect(tally["ended"] == 1)
            await server.listener.stop()
            #expect(await connection.answer().text == "")
        }
    }
}
