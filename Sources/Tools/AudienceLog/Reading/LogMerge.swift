/// Merges several log files in the order of their requests.
///
/// A viewer's requests may be spread over the logs of many servers, and its poll intervals need them in order. Files that
/// overlap in time are open together, up to `mostOpen`; beyond that the order is not kept.
struct LogMerge {
    private static let mostOpen = 64
    /// Number of requests between two reports of progress.
    private static let step = 20_000

    private struct Source {
        var path: String
        var number: Int
        /// Time of the next request.
        var milliseconds: Int64
        /// Nil for a file that is reopened when its time comes.
        var cursor: LogCursor?
    }

    private let names: FieldNames
    private let format: LogFormat?
    /// Sorted by next request, the earliest last.
    private var sources: [Source] = []
    private var open = 0

    /// Total bytes of all files; nil if one has no size.
    private(set) var size: Int? = 0
    private(set) var counts = AudienceFigures.Read()
    private(set) var notes: [String] = []

    /// Opens each file to recognise its format and find its first request; fails for the first file that is no log.
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

    /// Adds all requests to `tally`; `progress` gets the number of bytes read.
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

    /// Moves to the next request of a source; at its end adds the source's counts and returns false.
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
