import Foundation
import Testing

@testable import Comparison

/// Files that somebody else may have written.
@Suite struct ResultLimitTests {
    @Test func whatNestsDeeperThanAResultIsPassedOverInWords() throws {
        let nested = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
        let error = #expect(throws: RunFigures.ReadingError.self) {
            try RunFigures(json: Data(nested.utf8), path: "other.json")
        }
        #expect("\(try #require(error))" == "not a podswarm result: it is nested deeper than 64 levels")
    }
}
