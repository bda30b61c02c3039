/// Reads logs and says what audience they are of.
package struct AudienceLogReader {
    /// How far a reading has come.
    package struct Progress: Sendable {
        /// As they lie in the files, packed perhaps.
        package var bytes: Int
        /// Nil where a file has no size.
        package var of: Int?
    }

    private let options: AudienceLogOptions

    package init(_ options: AudienceLogOptions = AudienceLogOptions()) { self.options = options }

    /// Reads files, in any order.
    ///
    /// - Parameters:
    ///   - paths: The files; `-` for standard input.
    ///   - progress: Is told now and then.
    /// - Returns: The audience.
    /// - Throws: Why there is none; no file is read where one of them cannot be.
    package func read(
        _ paths: [String],
        progress: (Progress) -> Void = { _ in }
    ) throws(AudienceLogError) -> AudienceFigures {
        var merge = LogMerge(FieldNames(adding: options.fields), format: options.format)
        try merge.open(paths)
        let tally = AudienceTally(options)
        let size = merge.size
        try merge.read(into: tally) { progress(Progress(bytes: $0, of: size)) }
        var reckoning = AudienceReckoning(tally)
        var figures: AudienceFigures
        do throws(AudienceLogError) {
            figures = try reckoning.reckoned()
        } catch {
            guard case .nobodyWatches(let reason) = error else { throw error }
            guard merge.lines > 0 else { throw .nobodyWatches("what was read is empty") }
            guard merge.meaningless > 0 else { throw error }
            throw .nobodyWatches("\(reason); \(merge.meaningless) of \(merge.lines) lines mean nothing")
        }
        figures.files = paths.count
        figures.bytes = merge.bytes
        figures.lines = merge.lines
        figures.meaningless = merge.meaningless
        figures.meaninglessPlaces = merge.meaninglessPlaces
        figures.notes += merge.notes
        return figures
    }
}
