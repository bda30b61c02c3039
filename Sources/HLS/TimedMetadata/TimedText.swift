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
