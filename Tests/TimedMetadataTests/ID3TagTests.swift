import Testing

@testable import HLS

/// Tags that no writer at hand writes, byte by byte.
@Suite struct ID3TagTests {
    /// A tag of a version with frames after its header.
    private static func tag(_ version: UInt8, flags: UInt8 = 0, _ content: [UInt8]) -> [UInt8] {
        Array("ID3".utf8) + [version, 0, flags] + syncsafe(content.count) + content
    }

    private static func syncsafe(_ number: Int) -> [UInt8] {
        [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: number >> $0 & 0x7F) }
    }

    private static func frame(_ name: String, size: [UInt8], flags: UInt8 = 0, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + size + [0, flags] + content
    }

    private static func text(_ value: String) -> [UInt8] { [3, 0] + Array(value.utf8) }

    private static func texts(_ bytes: [UInt8]) -> [String] { TimedMetadataTests.metadata(bytes).texts.map(\.text) }

    @Test func sizesOfManyBytesAreReadInBothSpellings() {
        let value = "google_" + String(repeating: "y", count: 300)
        let content = Self.text(value)
        let plain = [0, 0, UInt8(content.count >> 8), UInt8(content.count & 0xFF)]
        #expect(Self.texts(Self.tag(4, Self.frame("TXXX", size: Self.syncsafe(content.count), content))) == [value])
        #expect(Self.texts(Self.tag(3, Self.frame("TXXX", size: plain, content))) == [value])
    }

    @Test func unsynchronisedTagsAndFramesAreRead() {
        // A zero stands after each byte of ones.
        let stuffed: [UInt8] = [0, 0x61, 0xFF, 0, 0, 0x67, 0xFF, 0, 0x6F]
        let newer = Self.frame("TXXX", size: Self.syncsafe(stuffed.count), flags: 0x02, stuffed)
        #expect(Self.texts(Self.tag(4, flags: 0x80, newer)) == ["g\u{FF}o"])
        let older = Self.frame("TXXX", size: [0, 0, 0, 7], stuffed)
        #expect(Self.texts(Self.tag(3, flags: 0x80, older)) == ["g\u{FF}o"])
    }

    @Test func framesWithMoreBeforeTheirContentAreRead() {
        let content = Self.text("google_a")
        let size = content.count + 5
        let extended = [7, 0, 0, 0, UInt8(content.count)] + content
        let newer = Self.frame("TXXX", size: Self.syncsafe(size), flags: 0x41, extended)
        #expect(Self.texts(Self.tag(4, newer)) == ["google_a"])
        let older = Self.frame("TXXX", size: [0, 0, 0, UInt8(content.count + 1)], flags: 0x20, [7] + content)
        #expect(Self.texts(Self.tag(3, older)) == ["google_a"])
        for (version, flag) in [(4, 0x08), (4, 0x04), (3, 0x80), (3, 0x40)] as [(UInt8, UInt8)] {
            let hidden = Self.frame("TXXX", size: Self.syncsafe(content.count), flags: flag, content)
            let plain = Self.frame("TXXX", size: Self.syncsafe(content.count), content)
            #expect(Self.texts(Self.tag(version, hidden + plain)) == ["google_a"], "compressed or encrypted")
        }
    }

    @Test func extendedHeadersAreSteppedOver() {
        let content = Self.text("google_a")
        let frame = Self.frame("TXXX", size: Self.syncsafe(content.count), content)
        #expect(Self.texts(Self.tag(4, flags: 0x40, [0, 0, 0, 6, 1, 0] + frame)) == ["google_a"])
        #expect(Self.texts(Self.tag(3, flags: 0x40, [0, 0, 0, 6, 0, 0, 0, 0, 0, 0] + frame)) == ["google_a"])
        #expect(Self.texts(Self.tag(4, flags: 0x40, [0, 0, 0, 0] + frame)) == [])
    }

    @Test func severalTextsAndFramesComeInTheirOrder() {
        let content: [UInt8] = [3, 0x64, 0] + Array("google_a\0google_b\0".utf8)
        let frames =
            Self.frame("TPE1", size: Self.syncsafe(3), [3, 0x61, 0x62])
            + Self.frame("TXXX", size: Self.syncsafe(content.count), content)
            + Self.frame("TXXX", size: Self.syncsafe(3), [3, 0, 0x63])
        #expect(Self.texts(Self.tag(4, frames + [UInt8](repeating: 0, count: 30))) == ["google_a", "google_b", "c"])
    }

    @Test func packedAudioTellsWhenItBegins() {
        let ticks: [UInt8] = [0, 0, 0, 0, 0, 0x01, 0x5F, 0x90]
        let timestamp = Array("com.apple.streaming.transportStreamTimestamp\0".utf8) + ticks
        let content = Self.text("google_a")
        let bytes = Self.tag(
            4,
            Self.frame("PRIV", size: Self.syncsafe(timestamp.count), timestamp)
                + Self.frame("TXXX", size: Self.syncsafe(content.count), content)
        )
        let expected = TimedText(text: "google_a", offsetMicroseconds: 0)
        #expect(TimedMetadataTests.metadata(bytes).texts == [expected])
    }

    @Test func otherVersionsAreLeftOut() {
        let content = Self.text("google_a")
        let frame = Self.frame("TXXX", size: Self.syncsafe(content.count), content)
        #expect(Self.texts(Self.tag(2, frame) + Self.tag(4, frame)) == ["google_a"])
    }
}
