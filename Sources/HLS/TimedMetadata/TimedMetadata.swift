/// A text that a segment carries for a moment of its presentation, such as the media id of an ad's event.
package struct TimedText: Sendable, Equatable {
    package let text: String
    /// From the segment's beginning; nil where the segment does not say.
    package var offsetMicroseconds: Int64?
}

/// Timed metadata of one downloaded part of a presentation, a segment or an initialisation section.
package struct TimedMetadata: Sendable, Equatable {
    package var texts: [TimedText] = []
    /// Ticks a second by track; only in an initialisation section of fragmented MP4.
    package var timescales: [UInt32: UInt32] = [:]

    package init() {}

    /// `timescales` are those of the initialisation section.
    package init(reading body: UnsafeRawBufferPointer, timescales: [UInt32: UInt32] = [:]) {
        let octets = Octets(body)
        if ID3Tag.begins(octets) {
            texts = ID3Tag.textsOfPackedAudio(octets)
        } else if TransportStream.begins(octets) {
            texts = TransportStream.texts(octets)
        } else {
            let movie = FragmentedMovie(octets, timescales: timescales)
            self.timescales = movie.ownTimescales
            texts = movie.texts
        }
    }
}

/// Bytes of an answer, bounds-checked.
struct Octets {
    let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var count: Int { bytes.count }

    subscript(_ place: Int) -> UInt8? { place >= 0 && place < bytes.count ? bytes[place] : nil }

    subscript(_ range: Range<Int>) -> Octets {
        let lower = min(max(range.lowerBound, 0), count)
        let upper = min(max(range.upperBound, lower), count)
        return Octets(UnsafeRawBufferPointer(rebasing: bytes[lower..<upper]))
    }

    func dropFirst(_ number: Int) -> Octets { self[max(number, 0)..<max(count, max(number, 0))] }

    /// Big-endian.
    func integer<Value: FixedWidthInteger & UnsignedInteger>(at place: Int) -> Value? {
        let width = Value.bitWidth / 8
        guard place >= 0, place <= count - width else { return nil }
        return bytes[place..<place + width].reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
    }

    func terminatedText(at place: Int) -> (text: String, end: Int)? {
        guard place >= 0, place <= count, let end = bytes[place...].firstIndex(of: 0) else { return nil }
        return (String(decoding: bytes[place..<end], as: UTF8.self), end + 1)
    }
}
