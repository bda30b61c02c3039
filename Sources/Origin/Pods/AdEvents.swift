/// Event messages of an ad, with ID3 tags (AOM, "Carriage of ID3 Timed Metadata in CMAF", section 2).
enum AdEvents {
    private static let scheme = "https://aomedia.org/emsg/ID3"
    /// Milliseconds: an event at the very end would be in no segment.
    private static let beforeEnd = 100

    static func milliseconds(of event: MediaTag.Event, in ad: Int) -> Int {
        switch event {
        case .start: 0
        case .firstQuartile: ad / 4
        case .midpoint: ad / 2
        case .thirdQuartile: ad / 4 * 3
        case .complete: ad - min(beforeEnd, ad / 10)
        }
    }

    static func messages(of ad: AdInPod, decision: UInt64, in stretch: Range<Int>, seed: UInt64) -> [UInt8] {
        MediaTag.Event.allCases.flatMap { event -> [UInt8] in
            let at = milliseconds(of: event, in: ad.milliseconds)
            guard stretch.contains(at) else { return [] }
            let tag = MediaTag(decision: decision, ad: ad.place, event: event)
            return message(at: at, number: Int(event.rawValue), text: tag.wholeID(seed: seed))
        }
    }

    private static func message(at milliseconds: Int, number: Int, text: String) -> [UInt8] {
        var content: [UInt8] = [1, 0, 0, 0]
        content += UInt32(1_000).bigEndianBytes + UInt64(milliseconds).bigEndianBytes
        content += UInt32.max.bigEndianBytes + UInt32(number).bigEndianBytes
        content += Array("\(scheme)\0\0".utf8) + tag(text)
        return MovieBox.bytes("emsg", content)
    }

    /// An ID3v2.4 tag with one TXXX frame in UTF-8 without a description.
    private static func tag(_ text: String) -> [UInt8] {
        let content: [UInt8] = [3, 0] + Array(text.utf8)
        let frame = Array("TXXX".utf8) + syncsafe(content.count) + [0, 0] + content
        return Array("ID3".utf8) + [4, 0, 0] + syncsafe(frame.count) + frame
    }

    private static func syncsafe(_ number: Int) -> [UInt8] {
        [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: number >> $0 & 0x7F) }
    }
}
