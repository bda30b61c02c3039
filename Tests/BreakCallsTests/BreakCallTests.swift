import TestSupport
import Testing
import Values

@testable import Rehearsal

@Suite struct BreakCallTests {
    private func read(_ text: String) throws(CallRefusal) -> BreakCall? { try BreakCall.reading(Array(text.utf8)) }

    @Test(arguments: ["", " ", "\r", "\t \r"])
    func whatHoldsNothingIsNoCall(text: String) throws {
        #expect(try read(text) == nil)
    }

    @Test(arguments: [
        ("15s", BreakCall(duration: .seconds(15))), (" 1m30s \r", BreakCall(duration: .seconds(90))),
        ("{}", BreakCall()),
        (
            #"{"in_ms": 5000, "duration_ms": 15000, "scte35": "/DAl+A==", "id": "half-time_1.a:b"}"#,
            BreakCall(lead: .seconds(5), duration: .seconds(15), scte35: "/DAl+A==", id: "half-time_1.a:b")
        ),
        ("\u{9}{\"id\":\n\"a\"}", BreakCall(id: "a")),
    ])
    func aDurationAndAnObjectAreCalls(text: String, call: BreakCall) throws {
        #expect(try read(text) == call)
    }

    @Test(arguments: [
        ("15", "is neither a duration"), ("soon", "is neither a duration"), ("[]", "is neither a duration"),
        ("15s 15s", "is neither a duration"), ("{", "is not JSON"), ("{}{}", "is not JSON"),
        (#"{"in": 5}"#, "holds an unknown field"), (#"{"in_ms": 5, "in_ms": 6}"#, "holds in_ms twice"),
        (#"{"in_ms": "5"}"#, "not a whole number"), (#"{"in_ms": 0.5}"#, "not a whole number"),
        (#"{"in_ms": 1e300}"#, "not a whole number"), (#"{"in_ms": null}"#, "not a whole number"),
        (#"{"duration_ms": 9223372036854775807}"#, "not a whole number"), (#"{"id": ""}"#, "not a text of 1 to 64"),
        (#"{"id": "a b"}"#, "digits and -_.:"), (#"{"id": 7}"#, "not a text"),
        (#"{"scte35": "a\nb"}"#, "digits and +/="),
        (#"{"id": {"id": {"id": {"id": {}}}}}"#, "nested deeper"),
    ])
    func whatCannotBeReadIsRefusedWithItsReason(text: String, reason: String) {
        let refusal = #expect(throws: CallRefusal.self) { try read(text) }
        guard case .malformed(let predicate) = refusal else {
            Issue.record("\(text): \(String(describing: refusal))")
            return
        }
        #expect(predicate.contains(reason), "\(text)")
    }

    @Test(arguments: ["500ms", "2h", #"{"duration_ms": 999}"#, #"{"in_ms": -1}"#, #"{"in_ms": 86400001}"#])
    func whatCannotBeIsRefused(text: String) {
        let refusal = #expect(throws: CallRefusal.self) { try read(text) }
        guard case .outOfBounds = refusal else {
            Issue.record("\(text): \(String(describing: refusal))")
            return
        }
    }

    @Test func aLongOneIsRefusedWhateverItHolds() {
        let long = [UInt8](repeating: UInt8(ascii: " "), count: BreakCall.longestText + 1)
        #expect(throws: CallRefusal.malformed("is longer than 4096 bytes")) { try BreakCall.reading(long) }
        #expect(throws: CallRefusal.self) { try read(#"{"scte35": ""# + String(repeating: "A", count: 2_049) + #""}"#) }
    }

    /// A reason is shown to people as it is: nothing that came stands in it.
    @Test func anyBytesAreReadOrRefusedAndNeverRepeated() {
        var random = SeededGenerator(seed: 0xCA11)
        let seeds = [
            Array(#"{"in_ms": 5000, "duration_ms": 15000, "scte35": "/DAl", "id": "x"}"#.utf8), Array("1m30s".utf8),
        ]
        for _ in 0..<20_000 {
            var bytes = seeds[Int(random.next() % 2)]
            for _ in 0..<Int(random.next() % 6) {
                let index = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 3 {
                case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: index)
                default: if bytes.count > 1 { bytes.remove(at: index) }
                }
            }
            do {
                let call = try BreakCall.reading(bytes)
                #expect(call?.duration.map { $0 >= .seconds(1) && $0 <= .seconds(3_600) } ?? true)
            } catch {
                #expect(error.text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
            }
        }
    }
}

@Suite struct LineCutterTests {
    @Test(arguments: [1, 2, 3, 7, 100])
    func linesAreCutWhereverThePiecesEnd(size: Int) {
        let text = Array("15s\n\n{\"in_ms\":1}\r\nrest".utf8)
        var cutter = LineCutter()
        var lines: [[UInt8]] = []
        for start in stride(from: 0, to: text.count, by: size) {
            lines += cutter.take(text[start..<min(start + size, text.count)])
        }
        #expect(lines == ["15s", "", "{\"in_ms\":1}\r"].map { Array($0.utf8) })
        #expect(cutter.end() == Array("rest".utf8))
        #expect(cutter.end() == nil)
    }

    @Test func anOverlongLineIsCutShortAndTheNextOneIsRead() {
        var cutter = LineCutter()
        let piece = [UInt8](repeating: 0x41, count: 10_000)
        for _ in 0..<1_000 { #expect(cutter.take(piece).isEmpty) }
        let refused = Array(piece.prefix(BreakCall.longestText + 1))
        #expect(cutter.take(Array("\n15s\n".utf8)) == [refused, Array("15s".utf8)])
        let longest = Array(piece.prefix(BreakCall.longestText))
        #expect(cutter.take(longest).isEmpty)
        #expect(cutter.end() == longest)
    }
}
