/// A text that a segment carries for a moment of its presentation, such as the media id of an ad's event.
package struct TimedText: Sendable, Equatable {
    package let text: String
    /// When it is to be shown, in microseconds of the segment's own timeline; nil where the segment does not tell.
    package let presentationMicroseconds: Int64?
    /// The same, counted from the segment's beginning.
    package let offsetMicroseconds: Int64?

    package init(_ text: String, presentationMicroseconds: Int64? = nil, offsetMicroseconds: Int64? = nil) {
        self.text = text
        self.presentationMicroseconds = presentationMicroseconds
        self.offsetMicroseconds = offsetMicroseconds
    }
}

/// What one downloaded part of a presentation, a segment or an initialisation section, says of timed metadata.
package struct TimedMetadata: Sendable, Equatable {
    /// In the order in which the part carries them.
    package var texts: [TimedText] = []
    /// Ticks a second by track, which only an initialisation section of fragmented MP4 tells.
    package var timescales: [UInt32: UInt32] = [:]

    package init() {}

    /// Reads a part, whatever its container; one that cannot be read carries nothing.
    ///
    /// - Parameters:
    ///   - body: The whole part.
    ///   - timescales: Of the initialisation section that belongs to it; empty where that is not known or there is none.
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
