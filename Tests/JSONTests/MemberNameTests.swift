import Foundation
import Testing
import Values

@Suite struct MemberNameTests {
    private struct Document: Codable, Equatable {
        enum Kind: String, Codable, CodingKeyRepresentable { case firstFrame }

        var isOver = true
        var hasEnded = false
        var startMicroseconds = 1
        var longestMaximumMilliseconds = 2
        var maximumHeldSeconds = 3
        var requestsPerSecond = 4
        var requestsPerSecondMaximum = 5
        var secondsOverCPU = 6
        var openCPUShare = 7
        var url = "x"
        var byKey = ["someBody": ["innerName": 1]]
        var byKind = [Kind.firstFrame: 1]
        var each = [Element(bodyBytes: 8)]
        var lost: Int?
    }

    private struct Element: Codable, Equatable { var bodyBytes: UInt16 }

    private static let json = """
        {"by_key":{"someBody":{"innerName":1}},"by_kind":{"firstFrame":1},"each":[{"body_bytes":8}],"ended":false,\
        "longest_max_ms":2,"maximum_held_s":3,"open_cpu_share":7,"over":true,"requests_per_s":4,"requests_per_s_max":5,\
        "seconds_over_cpu":6,"start_us":1,"url":"x"}
        """

    @Test func wordsAndUnitsOfPropertiesBecomeNames() throws {
        let json = try DocumentEncoding(.sortedKeys).encode(Document())
        #expect(String(decoding: json, as: UTF8.self) == Self.json)
    }

    @Test func whatIsWrittenIsReadBack() throws {
        #expect(try DocumentDecoding().decode(Document.self, from: Data(Self.json.utf8)) == Document())
    }

    @Test func anErrorNamesThePlaceAsTheDocumentDoes() throws {
        let broken = Data(Self.json.replacing("8", with: #""8""#).utf8)
        let error = try #require(throws: DecodingError.self) {
            try DocumentDecoding().decode(Document.self, from: broken)
        }
        guard case .typeMismatch(_, let context) = error else { throw error }
        #expect(context.codingPath.map(\.stringValue) == ["each", "Index 0", "body_bytes"])
    }
}

@Suite struct JournalCodingTests {
    private struct Kept: Codable, Equatable {
        var count = 0
        var text = ""
        var each: [Int] = []
        var first: Int64?
        var isKnown: Bool?
        var part = Part()
    }

    private struct Part: Codable, Equatable, EmptyWhereMissing, CheckedWhenRead {
        var total: UInt64 = 0
        var problem: String? { total > 9 ? "too many" : nil }
    }

    @Test(arguments: [
        (Kept(), "{}"), (Kept(first: 0, isKnown: false), #"{"first":0,"known":false}"#),
        (Kept(count: 1, part: Part(total: 2)), #"{"count":1,"part":{"total":2}}"#),
    ]) private func whatIsEmptyIsLeftOutButForAnOptional(kept: Kept, json: String) throws {
        var encoding = DocumentEncoding.journal
        encoding.formatting.insert(.sortedKeys)
        #expect(String(decoding: try encoding.encode(kept), as: UTF8.self) == json)
        #expect(try DocumentDecoding.journal.decode(Kept.self, from: Data(json.utf8)) == kept)
    }

    @Test func whatDoesNotFitTogetherIsRefused() {
        let json = Data(#"{"part":{"total":10}}"#.utf8)
        #expect(throws: DecodingError.self) { try DocumentDecoding.journal.decode(Kept.self, from: json) }
    }
}
