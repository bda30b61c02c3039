import HLS
import Testing

@testable import Origin

@Suite struct SpliceInsertTests {
    @Test func checksumIsTheOneOfMPEG2() {
        #expect(Array("123456789".utf8).withUnsafeBytes(SpliceSection.checksum) == 0x0376_E6E7)
    }

    @Test func sectionIsWrittenByteForByte() {
        let splice = SpliceInsert(eventID: 0x0102_0304, presentationTime: 0x1_2345_6789, duration: 2_700_000)
        let body: [UInt8] = [
            0xFC, 0x30, 0x25, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xF0, 0x14, 0x05,
            0x01, 0x02, 0x03, 0x04, 0x7F, 0xEF, 0xFF, 0x23, 0x45, 0x67, 0x89,
            0xFE, 0x00, 0x29, 0x32, 0xE0, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00,
        ]
        #expect(Array(splice.bytes.dropLast(4)) == body)
        #expect(splice.bytes.withUnsafeBytes(SpliceSection.checksum) == 0)
        #expect(splice.hexadecimal.hasPrefix("0xFC3025"))
        #expect(splice.hexadecimal.utf8.count == 2 + 2 * splice.bytes.count)
    }

    @Test func sectionLengthCountsEverythingAfterIt() {
        let bytes = SpliceInsert(eventID: 1, presentationTime: .max, duration: .max).bytes
        #expect(Int(bytes[1] & 0x0F) << 8 | Int(bytes[2]) == bytes.count - 3)
        #expect(bytes.withUnsafeBytes(SpliceSection.checksum) == 0)
    }
}
