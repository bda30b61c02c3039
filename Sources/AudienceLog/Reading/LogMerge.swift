/// Several files of a log, read side by side in the order of their requests.
///
/// A viewer's requests may be spread over the logs of many servers: how often it polls shows only where they stand in their
/// order. Files that overlap in time are open together, up to a number; of more the order is not kept.
struct LogMerge {
    private static let mostOpen = 64
    private static let mostPlaces = 5
    /// Progress is told after so many requests.
    private static let step = 20_000

    private struct Waiting {
        var path: String
        var number: Int
        /// Of its first request.
        var milliseconds: Int64
        /// What cannot be opened a second time and begin anew, such as a pipe.
        var kept: LogCursor?
    }

    private let names: FieldNames
    private let format: LogFormat?
    private var waiting: [Waiting] = []
    private var archives: [Waiting] = []
    private var open: [LogCursor] = []

    /// Nil where a file has no size.
    private(set) var size: Int? = 0
    private(set) var bytes = 0
    private(set) var lines = 0
    private(set) var meaningless = 0
    private(set) var meaninglessPlaces: [String] = []
    private(set) var notes: [String] = []

    init(_ names: FieldNames, format: LogFormat?) {
        self.names = names
        self.format = format
    }

    /// Looks into each file: whether it is a log, and when it begins.
    /// - Throws: What is wrong with the first that is none.
    mutating func open(_ paths: [String]) throws(AudienceLogError) {
        for (number, path) in paths.enumerated() {
            let cursor = try LogCursor(path, names, format: format)
            size = size.flatMap { sum in cursor.file.size.map { sum + $0 } }
            let kept = cursor.file.isReadOnce ? cursor : nil
            if cursor.format == .har {
                archives.append(Waiting(path: path, number: number, milliseconds: 0, kept: kept))
                continue
            }
            guard try cursor.advance() else {
                finish(cursor)
                continue
            }
            let first = cursor.request.milliseconds
            waiting.append(Waiting(path: path, number: number, milliseconds: first, kept: kept))
        }
        waiting.sort { ($0.milliseconds, $0.number) > ($1.milliseconds, $1.number) }
    }

    /// Reads all of them.
    ///
    /// - Parameters:
    ///   - tally: Gets their requests.
    ///   - progress: Is told how many bytes of the files were read.
    /// - Throws: Why one cannot be read on.
    mutating func read(into tally: AudienceTally, progress: (Int) -> Void) throws(AudienceLogError) {
        try readArchives(into: tally)
        var taken = 0
        while true {
            try openNext()
            guard let (index, limit) = earliest() else { break }
            let cursor = open[index]
            var goesOn = true
            repeat {
                tally.take(cursor.request)
                taken += 1
                if taken % Self.step == 0 { progress(bytes + open.reduce(0) { $0 + $1.bytesRead }) }
                goesOn = try cursor.advance()
            } while goesOn && cursor.request.milliseconds <= limit
            if !goesOn {
                open.remove(at: index)
                finish(cursor)
            }
        }
        progress(bytes)
    }

    /// Opens the files whose time has come.
    private mutating func openNext() throws(AudienceLogError) {
        while let next = waiting.last, open.count < Self.mostOpen {
            let first = open.map(\.request.milliseconds).min()
            guard first.map({ next.milliseconds <= $0 }) ?? true else { return }
            waiting.removeLast()
            if let kept = next.kept {
                open.append(kept)
                continue
            }
            let cursor = try LogCursor(next.path, names, format: format)
            if try cursor.advance() { open.append(cursor) } else { finish(cursor) }
        }
    }

    /// The file whose request comes next, and until when it may go on alone.
    private func earliest() -> (index: Int, limit: Int64)? {
        var (index, first, limit) = (0, Int64.max, Int64.max)
        for (place, cursor) in open.enumerated() {
            let time = cursor.request.milliseconds
            if time < first {
                limit = first
                first = time
                index = place
            } else if time < limit {
                limit = time
            }
        }
        guard !open.isEmpty else { return nil }
        return (index, min(limit, waiting.last?.milliseconds ?? .max))
    }

    private mutating func readArchives(into tally: AudienceTally) throws(AudienceLogError) {
        for archive in archives {
            let cursor: LogCursor
            if let kept = archive.kept {
                cursor = kept
            } else {
                cursor = try LogCursor(archive.path, names, format: .har)
            }
            try cursor.readArchive { tally.take($0, file: UInt64(archive.number)) }
            finish(cursor)
        }
    }

    private mutating func finish(_ cursor: LogCursor) {
        if !cursor.file.isWhole { notes.append("\(cursor.file.name) ends in the midst of what is packed in it.") }
        bytes += cursor.bytesRead
        lines += cursor.lines
        meaningless += cursor.meaningless
        meaninglessPlaces += cursor.meaninglessPlaces.prefix(Self.mostPlaces - meaninglessPlaces.count)
    }
}
