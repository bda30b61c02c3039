/// A log file and the next request in it.
final class LogCursor {
    /// Bytes at the start of a file by which its format is recognised.
    private static let beginningBytes = 64 << 10
    static let mostPlaces = 5

    let log: LogLines
    /// Valid until ``advance()``.
    private(set) var request = LoggedRequest()
    private(set) var lines = 0
    private(set) var meaningless = 0
    /// `name:line` of the first meaningless lines, never their contents.
    private(set) var places: [String] = []
    var isArchive: Bool { reader.format == .har }

    private let reader: LineReader

    /// Opens a file; a nil `format` is recognised by its first lines.
    init(_ path: String, _ names: FieldNames, format: LogFormat?) throws(AudienceLogError) {
        log = try LogLines(path)
        let beginning = try log.beginning(Self.beginningBytes)
        let found = format ?? (beginning.isEmpty ? .combined : LogFormat.recognized(by: beginning, names))
        guard let found else { throw .unknownFormat(name: log.name) }
        reader = LineReader(found, names)
        if isArchive { try readArchive() }
    }

    private func readArchive() throws(AudienceLogError) {
        do throws(AudienceLogError) {
            let text = try log.beginning(HTTPArchive.largest + 1)
            guard text.count <= HTTPArchive.largest else {
                throw .notAnArchive("an archive of more than 64 MiB: save it without bodies")
            }
            log.replace(by: try HTTPArchive.lines(of: text))
        } catch {
            guard case .notAnArchive(let reason) = error else { throw error }
            throw .unreadable(name: log.name, reason: reason)
        }
    }

    /// Moves to the next request; false at the end of the file.
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
