import AdServing
import Foundation
import Testing

@testable import Origin

@Suite struct SpliceCheckTests {
    private static let splice = SpliceInsert(eventID: 7, presentationTime: 90_000, duration: 2_700_000)

    @Test func whatCanBeReadIsNotWarnedOf() throws {
        #expect(SpliceCheck.warning(of: nil) == nil)
        let hexadecimal = Self.splice.hexadecimal
        let base64 = try #require(SpliceText.base64(hexadecimal: hexadecimal))
        for text in [hexadecimal, String(hexadecimal.dropFirst(2)), base64] {
            #expect(SpliceCheck.warning(of: text) == nil, "\(text)")
        }
    }

    @Test func whatCannotIsNamed() throws {
        func changed(_ change: (inout [UInt8]) -> Void) -> String {
            var bytes = Self.splice.bytes
            change(&bytes)
            return Data(bytes).base64EncodedString()
        }
        let said = [
            ("", "not a splice_info_section"), ("bad", "neither base64 nor hexadecimal"),
            ("AAAA", "not a splice_info_section"),
            (changed { $0[0] = 0 }, "not a splice_info_section"), (changed { $0[2] &+= 1 }, "section_length"),
            (changed { $0.removeLast() }, "section_length"), (changed { $0[15] ^= 1 }, "CRC_32"),
        ]
        for (text, mistake) in said { #expect(SpliceCheck.warning(of: text)?.contains(mistake) == true, "\(text)") }
    }
}
