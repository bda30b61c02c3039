package struct AudienceLogReader {
    package struct Progress: Sendable {
        /// Bytes of the files, compressed or not.
        package var bytes: Int
        /// Nil if a file has no size.
        package var of: Int?
    }

    private let options: AudienceLogOptions

    package init(_ options: AudienceLogOptions = AudienceLogOptions()) { self.options = options }

    /// Reads files in any order; `-` is standard input.
    ///
    /// Fails without reading on if a file cannot be read or is no log, and if the logs have no audience.
    package func read(
        _ paths: [String],
        progress: (Progress) -> Void = { _ in }
    ) throws(AudienceLogError) -> AudienceFigures {
        var merge = try LogMerge(paths, options)
        let tally = AudienceTally(options)
        let size = merge.size
        try merge.read(into: tally) { progress(Progress(bytes: $0, of: size)) }
        var reckoning = AudienceReckoning(tally, merge.counts, browserPlayer: options.browserPlayer)
        do throws(AudienceLogError) {
            var figures = try reckoning.reckoned()
            figures.notes += merge.notes
            return figures
        } catch {
            let counts = merge.counts
            guard case .nobodyWatches(let reason) = error else { throw error }
            guard counts.lines > 0 else { throw .nobodyWatches("what was read is empty") }
            guard counts.meaningless > 0 else { throw error }
            throw .nobodyWatches("\(reason); \(counts.meaningless) of \(counts.lines) lines mean nothing")
        }
    }
}
