package import Recording

extension LatencyResult {
    /// The whole distribution of a result, to add to others and to ask for any percentile.
    ///
    /// - Returns: The same buckets, with the exact figures beside them.
    /// - Throws: `HdrDecodingError` where the bytes are no distribution, or not the one that the figures describe.
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
