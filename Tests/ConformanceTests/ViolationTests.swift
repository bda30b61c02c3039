import Conformance
import Rulebook
import Testing

@Suite struct ViolationTests {
    @Test func sameCodeAtAnotherLineIsAnotherViolation() {
        let first = Violation(.notAPlaylist, line: 1, expected: "#EXTM3U", observed: "<html>")
        let second = Violation(.notAPlaylist, line: 2, expected: "#EXTM3U", observed: "<html>")
        #expect(first != second)
    }
}
