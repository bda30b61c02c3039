/// Bare ID3 tags, as at the head of packed audio (RFC 8216 section 3.4).
enum PackedAudio {
    private static let timestampOwner = "com.apple.streaming.transportStreamTimestamp"

    static func texts(_ octets: Octets) -> [TimedText] {
        let tags = ID3Tag.all(in: octets)
        let start = tags.lazy.flatMap(\.privates).first { $0.owner == timestampOwner }.flatMap { ticks(of: $0.data) }
        let time = start.map { TransportClock.microseconds(ofTicks: Int64($0)) }
        return tags.flatMap(\.userTexts).map {
            TimedText($0, presentationMicroseconds: time, offsetMicroseconds: time.map { _ in 0 })
        }
    }

    private static func ticks(of data: [UInt8]) -> UInt64? {
        guard data.count == 8 else { return nil }
        return data.reduce(0) { $0 << 8 | UInt64($1) } & TransportClock.mask
    }
}
