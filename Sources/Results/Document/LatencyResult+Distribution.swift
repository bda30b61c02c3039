package import Recording

extension LatencyResult {
    /// Decodes the whole distribution, with its exact figures.
    ///
    /// - Throws: `HdrDecodingError` if the bytes are not a distribution, or contradict the figures.
    package func decoded() throws(HdrDecodingError) -> SparseHistogram {
        guard histogram.encoding == HdrEncoding.name else { throw .unknownEncoding(histogram.encoding) }
        let sparse = try SparseHistogram(
            hdrBase64: histogram.data,
            minimum: minimumMicroseconds,
            maximum: maximumMicroseconds,
            sum: sumMicroseconds,
            aboveRange: outOfRange,
            belowZero: 0
        )
        guard sparse.count == count else { throw .contradiction("count") }
        return sparse
    }
}
