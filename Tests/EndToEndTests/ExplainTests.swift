import Foundation
import Testing

/// `podswarm explain` in words and as JSON.
@Suite struct ExplainTests {
    /// The list has each meaning whole, over several lines where one is too short.
    @Test func theListHasTheMeaningOfEachFinding() async throws {
        let list = try await PodswarmExecutable.run(["explain"])
        #expect(list.status == 0 && list.output.contains("  media_sequence_backwards"))
        let json = try await PodswarmExecutable.run(["explain", "--json"])
        let rows = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
        #expect(rows.count > 80 && rows.allSatisfy { $0.count == 10 })
        let words = list.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for row in rows { #expect(words.contains(try #require(row["meaning"] as? String))) }
    }
}
