package import AdServing
package import Values

package struct AudienceLogReader {
    private let options: AudienceLogOptions

    package init(_ options: AudienceLogOptions = AudienceLogOptions()) { self.options = options }

    /// Any order; `-` is standard input; fails for a file that is not a log, and without an audience.
    ///
    /// `progress` gets bytes as they are in the files; the size is nil if a file has none.
    package func read(
        _ paths: [String],
        progress: (_ bytes: Int, _ size: Int?) -> Void = { _, _ in }
    ) throws(AudienceLogError) -> AudienceFigures {
        var merge = try LogMerge(paths, options)
        let tally = AudienceTally(options)
        let size = merge.size
        try merge.read(into: tally) { progress($0, size) }
        var reckoning = AudienceReckoning(tally, merge.counts, browserPlayer: options.browserPlayer)
        do throws(AudienceLogError) {
            var figures = try reckoning.reckoned()
            figures.notes += merge.notes
            return figures
        } catch {
            let counts = merge.counts
            guard case .nobodyWatches(let reason) = error else { throw error }
            guard counts.lines > 0 else { throw .nobodyWatches("the input is empty") }
            guard counts.meaningless > 0 else { throw error }
            throw .nobodyWatches("\(reason); \(counts.meaningless) of \(counts.lines) lines mean nothing")
        }
    }
}

package struct AudienceLogOptions: Sendable {
    package static let longestGap = Duration.seconds(3600)
    /// Milliseconds on both sides of the first request, plus a gap, must fit in 32 bits.
    static let longestDays = 23

    /// Nil: recognised for each file.
    package var format: LogFormat?
    package var fields: [(role: FieldRole, name: String)] = []
    /// A viewer without requests for longer has left; ten target durations of six seconds.
    package var gap = Duration.seconds(60)
    package var from: WallTime?
    /// Exclusive.
    package var to: WallTime?
    package var adPaths: [PathPattern] = []
    /// Empty: all belong to one channel.
    package var channelPaths: [PathPattern] = []
    /// Additional names.
    package var sessionParameters: [String] = []
    /// The last piece with a wildcard is a viewer's session.
    package var sessionPaths: [PathPattern] = []
    /// Empty: all with `session` in their names.
    package var sessionCookies: [String] = []
    /// Parameters that hold no viewer's session, such as a `stream_id` that names the channel.
    package var notSessions: [String] = []
    /// Persona of players in pages.
    package var browserPlayer = "hlsjs"
    /// 48 bytes each: the capacity of a dictionary with 2^21 slots.
    package var mostViewers = 1_500_000

    package init() {}
}

/// Merges files in the order of requests, which poll intervals need.
///
/// Files that overlap in time are open together, up to `mostOpen`; beyond that the order is not kept.
struct LogMerge {
    private static let mostOpen = 64
    private static let step = 20_000

    private struct Source {
        var path: String
        var number: Int
        var milliseconds: Int64
        /// Nil for a file that is reopened when its time comes.
        var cursor: LogCursor?
    }

    private let names: FieldNames
    private let format: LogFormat?
    /// Sorted by next request, the earliest last.
    private var sources: [Source] = []
    private var open = 0

    private(set) var size: Int? = 0
    private(set) var counts = AudienceFigures.Read()
    private(set) var notes: [String] = []

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

    /// `progress` gets the bytes read.
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
            let limit = sources.last?.milliseconds ?? .max
            var goesOn = true
            repeat {
                tally.take(cursor.request)
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

    /// Adds the source's counts at its end, and returns false.
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

final class LogCursor {
    private static let beginningBytes = 64 << 10
    static let mostPlaces = 5

    let log: LogLines
    /// Valid until ``advance()``.
    private(set) var request = LoggedRequest()
    private(set) var lines = 0
    private(set) var meaningless = 0
    /// `name:line` of the first meaningless lines, never their contents.
    private(set) var places: [String] = []

    private let reader: LineReader

    init(_ path: String, _ names: FieldNames, format: LogFormat?) throws(AudienceLogError) {
        log = try LogLines(path)
        let beginning = try log.beginning(Self.beginningBytes)
        let found = format ?? (beginning.isEmpty ? .combined : LogFormat.recognized(by: beginning, names))
        guard let found else { throw .unknownFormat(name: log.name) }
        reader = LineReader(found, names)
    }

    func advance() throws(AudienceLogError) -> Bool {
        var next = LoggedRequest()
        while let line = try log.next() {
            lines += 1
            guard !line.isEmpty || log.isCut else { continue }
            switch log.isCut ? .meaningless : reader.read(line, into: &next) {
            case .request:
                request = next
                return true
            case .head: break
            case .meaningless:
                meaningless += 1
                if places.count < Self.mostPlaces { places.append("\(log.name):\(lines)") }
            }
        }
        return false
    }
}
