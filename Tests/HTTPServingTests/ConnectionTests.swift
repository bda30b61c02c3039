import Glibc
import HTTPServing
import HTTPTypes
import NIOCore
import TestSupport
import Testing

/// How connections begin, rest and end.
@Suite struct ConnectionTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func aClientThatLeavesEndsWhatIsDoneForIt() async throws {
        let tally = Tally()
        let respond: HTTPListener.Responder = { _ in
            tally.add("asked")
            defer { tally.add("ended") }
            try await Task.sleep(for: .seconds(3_600))
        }
        try await withListener(respond: respond) { listener in
            for turn in 1...3 {
                let caller = try await Caller(listener)
                try await caller.say(Self.get) {
                    try await tally.waits(for: "asked", turn)
                    // One that only sends nothing more may still listen.
                    let socket = try #require(caller.channel.channel as? any SocketOptionProvider)
                    try await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
                }
                try await tally.waits(for: "ended", turn)
            }
        }
    }

    @Test func whoTakesNothingIsSentNoMoreThanTheSystemHolds() async throws {
        let tally = Tally()
        let respond: HTTPListener.Responder = { request in
            defer { tally.add("ended") }
            try await request.begin(HTTPResponse(status: .ok))
            while true {
                try await request.write(ByteBuffer(repeating: 0, count: 1 << 20))
                tally.add("written")
            }
        }
        try await withListener(respond: respond) { listener in
            let caller = try await Caller(listener)
            try await caller.say(Self.get) {
                var before = -1
                let isHeldBack = try await Patience.sees {
                    defer { before = tally["written"] }
                    try await Task.sleep(for: .milliseconds(200))
                    return before == tally["written"]
                }
                #expect(isHeldBack)
                #expect(tally["written"] < 64)
            }
            try await tally.waits(for: "ended", 1)
        }
    }

    @Test func aConnectionMayRestOnlySoLong() async throws {
        // A busy client comes to its request only when the limit is over.
        let slow = try await Patience.growing(from: .milliseconds(100)) { limit in
            var slow = ""
            try await withListener(idleLimit: TimeAmount(limit)) { request in
                try await Task.sleep(for: limit * 4)
                try await request.say("x")
            } _: { listener in
                slow = (try? await listener.answer(to: Self.get)) ?? ""
                for beginning in ["GET / HT", ""] {
                    let answer = try? await listener.answer(to: beginning)
                    #expect(answer ?? "" == "")
                }
            }
            return slow
        } until: {
            $0.hasSuffix("x")
        }
        #expect(slow.hasSuffix("x"), "longer than the limit, by our fault")
    }

    @Test func aHeadMayTakeOnlySoLong() async throws {
        try await withListener(headLimit: .milliseconds(50)) {
            try await $0.say("x")
        } _: { listener in
            // Drops of a head are no reason to wait longer.
            for beginning in ["", "GET / HTTP/1.1\r\nHost: a"] {
                let answer = try? await listener.answer(to: beginning)
                #expect(answer ?? "" == "")
            }
        }
    }

    @Test func whatIsAnsweredIsNoHeadThatTakesLong() async throws {
        // A busy client comes to its request only when the limit is over.
        let slow = try await Patience.growing(from: .milliseconds(100)) { limit in
            var slow = ""
            try await withListener(headLimit: TimeAmount(limit)) { request in
                try await Task.sleep(for: limit * 4)
                try await request.say("x")
            } _: { listener in
                let end = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                slow = (try? await listener.answer(to: end)) ?? ""
            }
            return slow
        } until: {
            $0.hasSuffix("x")
        }
        #expect(slow.hasSuffix("x"), "longer than the limit, by our fault")
    }

    @Test func othersWaitWhileAllAreBeingAnswered() async throws {
        let tally = Tally()
        let respond: HTTPListener.Responder = { request in
            tally.add("asked")
            if tally["asked"] == 1 { try await tally.waits(for: "free", 1) }
            try await request.say("x")
        }
        try await withListener(connectionLimit: 1, respond: respond) { listener in
            let first = try await Caller(listener)
            try await first.say(Self.get) {
                try await tally.waits(for: "asked", 1)
                let second = try await Caller(listener)
                try await second.say(Self.get) {
                    try await Task.sleep(for: .milliseconds(200))
                    #expect(tally["asked"] == 1)
                    tally.add("free")
                    try await tally.waits(for: "asked", 2)
                }
            }
        }
    }

    @Test func whoeverComesTakesThePlaceOfTheOneThatRestsLongest() async throws {
        try await withListener(connectionLimit: 2) { request in
            try await request.say("x")
        } _: { listener in
            let first = try await Caller(listener)
            try await first.say("GET / HTTP/1.1\r\nHo") {
                let second = try await Caller(listener)
                try await second.say("GET / HTTP/1.1\r\nHo") {
                    let end = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                    let answer = try await listener.answer(to: end)
                    #expect(answer.hasSuffix("x"))
                }
            }
        }
    }

    @Test func whatIsUnderWayAtTheEndIsAnswered() async throws {
        let tally = Tally()
        let respond: HTTPListener.Responder = { request in
            tally.add("asked")
            defer { tally.add("ended") }
            try await tally.waits(for: "stopped", 1)
            try await request.say("x")
        }
        try await withListener(grace: .seconds(3_600), respond: respond) { listener in
            async let answer = listener.answer(to: Self.get)
            try await tally.waits(for: "asked", 1)
            async let stop: Void = listener.stop()
            try await listener.closed.get()
            tally.add("stopped")
            await stop
            #expect(tally["ended"] == 1)
            await listener.stop()
            let whole = try await answer
            #expect(whole.hasSuffix("x"))
        }
    }

    @Test func halfARequestAtTheEndIsNotAnswered() async throws {
        let tally = Tally()
        let respond: HTTPListener.Responder = { request in
            try await request.say("x")
            tally.add("said")
        }
        try await withListener(respond: respond) { listener in
            async let answer = listener.answer(to: Self.get + "GET /half")
            try await tally.waits(for: "said", 1)
            await listener.stop()
            let whole = try await answer
            #expect(whole == "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        }
    }

    @Test func whatIsUnderWayAtTheEndIsCutWhenItsGraceIsOver() async throws {
        let tally = Tally()
        let respond: HTTPListener.Responder = { request in
            tally.add("asked")
            defer { tally.add("ended") }
            try await Task.sleep(for: .seconds(3_600))
            try await request.say("x")
        }
        try await withListener(grace: .milliseconds(50), respond: respond) { listener in
            async let answer = listener.answer(to: Self.get)
            try await tally.waits(for: "asked", 1)
            await listener.stop()
            #expect(tally["ended"] == 1)
            await listener.stop()
            let cut = try? await answer
            #expect(cut ?? "" == "")
        }
    }
}
