/// Several log files, read side by side in the order of their requests.
///
/// A viewer's requests may be spread over the logs of many servers: how often it polls shows only where they stand in their
/// order. Files that overlap in time are open together, up to a number; of more the order is not kept.
struct LogMerge {
    private static let mostOpen = 64
    /// Requests between two reports of progress.
    private static let step = 20_000

    private struct Source {
        var path: String
        var number: Int
        /// The time of its next request.
        var milliseconds: Int64
        /// Nil for a file that is opened again when its time has come.
        var cursor: LogCursor?
    }

    private let names: FieldNames
    private let format: LogFormat?
    /// The one with the earliest request is the last.
    private var sources: [Source] = []
    private var open = 0

    /// Bytes of all files together; nil if one has no size.
    private(set) var size: Int? = 0
    private(set) var counts = AudienceFigures.Read()
    private(set) var notes: [String] = []

    /// Looks into each file: whether it is a log, and when it begins.
    /// - Throws: The mistake in the first file that is no log.
    init(_ paths: [String], _ options: AudienceLogOptions) throws(AudienceLogError) {
        names = FieldNames(adding: options.fields)
        format = options.format
        counts.files = paths.count
        for (number, path) in paths.enumerated() {
            let cursor = try LogCursor(path, names, format: format)
            open += 1
            size = size.flatMap { sum in cursor.log.size.map { sum + $0 } }
            var source = Source(path: path, number: number, milliseconds: 0, cursor: cursor)
            guard try advance(&source) else { continue }
            if !cursor.log.isReadOnce {
                source.cursor = nil
                open -= 1
            }
            insert(source)
        }
    }

    /// Reads all of them.
    ///
    /// - Parameters:
    ///   - tally: Gets their requests.
    ///   - progress: Is told how many bytes of the files were read.
    /// - Throws: The reason for which one cannot be read on.
    mutating func read(into tally: AudienceTally, progress: (Int) -> Void) throws(AudienceLogError) {
        var taken = 0
        while let index = sources.lastIndex(where: { $0.cursor != nil || open < Self.mostOpen }) {
            var source = sources.remove(at: index)
            if source.cursor == nil {
                open += 1
                source.cursor = try LogCursor(source.path, names, format: format)
                guard try advance(&source) else { continue }
            }
            guard let cursor = source.cursor else { continue }
            let viewer = cursor.isArchive ? source.number : nil
            let limit = sources.last?.milliseconds ?? .max
            var goesOn = true
            repeat {
                tally.take(cursor.request, file: viewer)
                taken += 1
                if taken % Self.step == 0 {
                    let unfinished = sources.reduce(cursor.log.bytesRead) { $0 + ($1.cursor?.log.bytesRead ?? 0) }
                    progress(counts.bytes + unfinished)
                }
                goesOn = try advance(&source)
            } while goesOn && source.milliseconds <= limit
            if goesOn { insert(source) }
        }
        progress(counts.bytes)
    }

    private mutating func insert(_ source: Source) {
        let place = sources.lastIndex { ($0.milliseconds, $0.number) > (source.milliseconds, source.number) }
        sources.insert(source, at: place.map { $0 + 1 } ?? 0)
    }

    /// Goes to the next request of a source; false at its end, when its counts are added.
    private mutating func advance(_ source: inout Source) throws(AudienceLogError) -> Bool {
        guard let cursor = source.cursor else { return false }
        if try cursor.advance() {
            source.milliseconds = cursor.request.milliseconds
            return true
        }
        let log = cursor.log
        open -= 1
        if !log.isWhole { notes.append("\(log.name) ends in the midst of what is packed in it.") }
        counts.bytes += log.bytesRead
        counts.lines += cursor.lines
        counts.meaningless += cursor.meaningless
        counts.meaninglessPlaces += cursor.places.prefix(LogCursor.mostPlaces - counts.meaninglessPlaces.count)
        return false
    }
}
