import HLS
import Testing

@testable import Origin

@Suite struct ConnectionBookTests {
    private final class Connection {}

    private static func truth(_ book: ConnectionBook) -> GroundTruth {
        var truth = GroundTruth()
        book.write(to: &truth)
        return truth
    }

    @Test func connectionOfOneViewerIsNotShared() {
        var book = ConnectionBook()
        let connection = Connection()
        let firsts = [
            book.carried(.registration, on: ObjectIdentifier(connection), by: .number(7)),
            book.carried(.podManifest, on: ObjectIdentifier(connection), by: .number(7)),
            book.carried(.playlist, on: ObjectIdentifier(connection), by: nil),
        ]
        #expect(firsts == [true, false, false])
        let truth = Self.truth(book).connections
        #expect(truth.total == 1 && truth.open == 1 && truth.sharedBetweenSessions == 0 && truth.attributed == 1)
        #expect(truth.maximumRequests == 3)
        #expect(truth.openedFor == ["registration": 1])
        #expect(Self.truth(book).viewers.seen == 1)
    }

    @Test func connectionOfTwoViewersIsSharedOnce() {
        var book = ConnectionBook()
        let connection = Connection()
        for viewer in [ViewerIdentity.number(7), .number(8), .number(7), .number(9)] {
            _ = book.carried(.playlist, on: ObjectIdentifier(connection), by: viewer)
        }
        #expect(Self.truth(book).connections.sharedBetweenSessions == 1)
    }

    @Test func sessionsAreToldApartOnlyWhereNoNumberIs() {
        var book = ConnectionBook()
        let (numbered, anonymous) = (Connection(), Connection())
        for viewer in [ViewerIdentity.number(7), .session(1), .session(2)] {
            _ = book.carried(.playlist, on: ObjectIdentifier(numbered), by: viewer)
        }
        #expect(Self.truth(book).connections.sharedBetweenSessions == 0, "a viewer may register again")
        for viewer in [ViewerIdentity.session(1), .session(2)] {
            _ = book.carried(.playlist, on: ObjectIdentifier(anonymous), by: viewer)
        }
        #expect(Self.truth(book).connections.sharedBetweenSessions == 1)
    }

    @Test func closedConnectionIsForgottenButCounted() {
        var book = ConnectionBook()
        let connections = (0..<10).map { _ in Connection() }
        for connection in connections { _ = book.carried(.playlist, on: ObjectIdentifier(connection), by: .number(1)) }
        for connection in connections.dropLast(2) { book.closed(ObjectIdentifier(connection)) }
        #expect(Self.truth(book).connections.total == 10 && Self.truth(book).connections.open == 2)
        #expect(Self.truth(book).viewers.maximumConnections == 10)
    }
}

@Suite struct BreakBookTests {
    @Test func requestsAreCountedByIdentifierWithFirstAndLast() throws {
        var book = BreakBook()
        book.pod("pod/1", length: "10000", splice: "/DA=", breakKey: "k", at: WallTime(microseconds: 5))
        book.pod("pod/2", length: "15000", splice: "/DB=", breakKey: "k", at: WallTime(microseconds: 7))
        book.pod("pod/1", length: "10000", splice: nil, breakKey: "k", at: WallTime(microseconds: 9))
        let entry = try #require(book.breaks["k"])
        #expect(entry.identifiers == ["pod/1": 2, "pod/2": 1])
        #expect(entry.lengths == ["10000": 2, "15000": 1])
        #expect(entry.splices == ["/DA=": 1, "/DB=": 1])
        #expect(entry.podRequests == 3 && entry.firstMicroseconds == 5 && entry.lastMicroseconds == 9)
    }

    @Test func memoryIsBounded() throws {
        var book = BreakBook()
        for number in 0..<1_000 {
            book.pod("i\(number)", length: "", splice: nil, breakKey: "k", at: WallTime(microseconds: 1))
        }
        let entry = try #require(book.breaks["k"])
        #expect(entry.identifiers.count == BreakBook.maximumIdentifiers + 1)
        #expect(entry.identifiers.values.reduce(0, +) == 1_000)
        book.pod(
            "i",
            length: String(repeating: "9", count: 9_000),
            splice: nil,
            breakKey: "k",
            at: WallTime(microseconds: 1)
        )
        #expect(book.breaks["k"]?.lengths.keys.allSatisfy { $0.utf8.count <= 1_024 } == true)
        for number in 0..<3_000 {
            book.pod("i", length: "", splice: nil, breakKey: "b\(number)", at: WallTime(microseconds: 1))
        }
        #expect(book.breaks.count == BreakBook.maximumBreaks)
        #expect(book.breaks["b2999"] != nil && book.breaks["k"] == nil)
    }
}

@Suite struct InterstitialBookTests {
    @Test func viewersAndPingsAreToldApart() throws {
        var book = InterstitialBook()
        for viewer: UInt64? in [1, 2, 1, nil] {
            book.list("a", viewer: viewer, startOffset: viewer == 2 ? "3.5" : nil, hasPrimaryID: viewer != 1)
            book.asset("a", place: 1, viewer: viewer, hasPrimaryID: true)
            book.beacon("a", event: "0/start", viewer: viewer)
        }
        let truth = try #require(book.truth["a"])
        #expect(truth.lists == 4 && truth.viewers == 2 && truth.withoutPrimary == 2)
        #expect(truth.startOffsets == ["3.5": 1] && truth.assets == ["1": 4])
        #expect(truth.beacons == ["0/start": 4] && truth.repeatedBeacons == 1)
    }

    @Test func memoryIsBounded() throws {
        var book = InterstitialBook()
        for number in 0..<200 {
            book.list("a", viewer: 1, startOffset: String(number), hasPrimaryID: true)
            book.list("b\(number)", viewer: 1, startOffset: nil, hasPrimaryID: true)
        }
        let truth = try #require(book.truth["a"])
        #expect(truth.startOffsets.count == InterstitialBook.maximumOffsets + 1)
        #expect(truth.startOffsets.values.reduce(0, +) == 200)
        #expect(truth.viewers == 1, "what is asked for again and again is not let go")
        book.list("b0", viewer: 1, startOffset: nil, hasPrimaryID: true)
        #expect(book.truth["b0"]?.viewers == 2, "what was let go counts anew")
        for number in 0..<3_000 { book.list("c\(number)", viewer: 1, startOffset: nil, hasPrimaryID: true) }
        #expect(book.truth.count == InterstitialBook.maximumInterstitials)
    }
}

@Suite struct TruthLedgerTests {
    private final class Connection {}

    @Test func kindsAreCountedApart() {
        let ledger = TruthLedger(faultNames: ["reset", "delay", "reset"], started: WallTime(microseconds: 1))
        let connection = Connection()
        let identifier = ObjectIdentifier(connection)
        #expect(ledger.received(.playlist, connection: identifier, viewer: nil, redirected: false))
        #expect(!ledger.received(.playlist, connection: identifier, viewer: nil, redirected: true))
        ledger.answered(.playlist, status: 200)
        ledger.answered(.playlist, status: 200)
        ledger.answered(.segment, status: 404)
        ledger.answered(.segment, status: 9_999)
        ledger.faulted(.playlist, by: [0, 1])
        ledger.faulted(.playlist, by: [2])
        let truth = ledger.truth(at: WallTime(microseconds: 2))
        #expect(truth.requests["playlist"]?.received == 1)
        #expect(truth.requests["playlist"]?.redirected == 1)
        #expect(truth.requests["playlist"]?.answered == ["200": 2])
        #expect(truth.requests["playlist"]?.faulted == 2)
        #expect(truth.requests["segment"]?.answered == ["404": 1, "599": 1])
        #expect(truth.faults == ["reset": 2, "delay": 1])
    }
}
