/// A text that a segment carries for a moment of its presentation, such as the media id of an ad's event.
package struct TimedText: Sendable, Equatable {
    package let text: String
    /// From the segment's beginning; nil where the segment does not say.
    package var offsetMicroseconds: Int64?
}

/// Timed metadata of one downloaded part of a presentation, a segment or an initialisation section.
package struct TimedMetadata: Sendable, Equatable {
    /// In the order in which the part carries them.
    package var texts: [TimedText] = []
    /// Ticks a second by track, which only an initialisation section of fragmented MP4 contains.
    package var timescales: [UInt32: UInt32] = [:]

    package init() {}

    /// Reads a whole part in any container; an unreadable one carries nothing.
    ///
    /// `timescales` are those of its initialisation section; empty where that is unknown or does not exist.
    package init(reading body: UnsafeRawBufferPointer, timescales: [UInt32: UInt32] = [:]) {
        let octets = Octets(body)
        if ID3Tag.begins(octets) {
            texts = PackedAudio.texts(octets)
        } else if TransportStream.begins(octets) {
            texts = TransportStream.texts(octets)
        } else {
            let movie = FragmentedMovie(octets, timescales: timescales)
            self.timescales = movie.ownTimescales
            texts = movie.texts
        }
    }
}

/// Bounds-checked access to the bytes of an answer: places outside of them yield nil or nothing.
struct Octets {
    let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    subscript(_ place: Int) -> UInt8? { place >= 0 && place < bytes.count ? bytes[place] : nil }

    /// The part between two places, as far as it exists.
    subscript(_ range: Range<Int>) -> Octets {
        let lower = min(max(range.lowerBound, 0), count)
        let upper = min(max(range.upperBound, lower), count)
        return Octets(UnsafeRawBufferPointer(rebasing: bytes[lower..<upper]))
    }

    func dropFirst(_ number: Int) -> Octets { self[max(number, 0)..<max(count, max(number, 0))] }

    /// The big-endian integer at a place; nil where it would pass the end.
    func integer<Value: FixedWidthInteger & UnsignedInteger>(at place: Int) -> Value? {
        let width = Value.bitWidth / 8
        guard place >= 0, place <= count - width else { return nil }
        return bytes[place..<place + width].reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
    }

    func hasText(_ text: StaticString, at place: Int) -> Bool {
        guard place >= 0, place <= count - text.utf8CodeUnitCount else { return false }
        return bytes[place..<place + text.utf8CodeUnitCount]
            .elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// A zero-terminated text, and the place after the zero; nil without a zero.
    func terminatedText(at place: Int) -> (text: String, end: Int)? {
        guard place >= 0, place <= count, let end = bytes[place...].firstIndex(of: 0) else { return nil }
        return (String(decoding: bytes[place..<end], as: UTF8.self), end + 1)
    }
}
