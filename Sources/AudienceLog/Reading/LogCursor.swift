/// A file of a log and the request in it that comes next.
final class LogCursor {
    /// What a longer line says is not looked at.
    static let longestLine = 1 << 20
    /// By so many bytes at its beginning a file is recognised.
    private static let beginningBytes = 64 << 10
    private static let mostPlaces = 5

    let file: LogFile
    /// The next request; its texts hold until ``advance()``.
    private(set) var request = LoggedRequest()
    private(set) var format: LogFormat
    private(set) var lines = 0
    private(set) var meaningless = 0
    /// Where lines stand that mean nothing: never what is in them.
    private(set) var meaninglessPlaces: [String] = []
    /// Of the file, as they lie there.
    private(set) var bytesRead = 0

    private let buffer = LineBuffer(capacity: beginningBytes)
    private var combined = CombinedLine()
    private var tabbed: TabbedLine
    private let json: JSONLine
    private var isAtEnd = false
    private var isSkipping = false
    private var isDone = false

    /// Opens a file and recognises it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - names: What fields mean.
    ///   - format: How it is written; nil: by its first lines.
    /// - Throws: Why it is no log.
    init(_ path: String, _ names: FieldNames, format: LogFormat?) throws(AudienceLogError) {
        file = try LogFile(path)
        tabbed = TabbedLine(names)
        json = JSONLine(names, longestLine: Self.longestLine)
        self.format = format ?? .combined
        while buffer.count < Self.beginningBytes, !isAtEnd { try fill() }
        guard format == nil, buffer.count > 0 else { return }
        guard let found = LogFormat.recognized(by: buffer.bytes, names) else { throw .unknownFormat(name: file.name) }
        self.format = found
    }

    /// Goes to the next request; false at the end of the file.
    /// - Throws: Why it cannot be read on.
    func advance() throws(AudienceLogError) -> Bool {
        while true {
            if isSkipping { isSkipping = !buffer.skipLine() }
            while !isSkipping, let line = buffer.nextLine() {
                if let found = read(line) {
                    request = found
                    return true
                }
            }
            guard !isAtEnd else {
                // What is left has no line feed.
                guard !isDone, !isSkipping, buffer.count > 0 else { return false }
                isDone = true
                guard let found = read(buffer.bytes) else { return false }
                request = found
                return true
            }
            if buffer.count > Self.longestLine {
                note(meaninglessAt: lines + 1)
                lines += 1
                buffer.removeAll()
                isSkipping = true
            }
            try fill()
        }
    }

    private func fill() throws(AudienceLogError) {
        let count = try file.fill(buffer)
        bytesRead += count
        isAtEnd = count == 0
    }

    private func read(_ line: LineBytes) -> LoggedRequest? {
        lines += 1
        let bare = line.last == 0x0D ? line.part(0, line.count - 1) : line
        guard !bare.isEmpty else { return nil }
        var isHead = false
        var found: LoggedRequest?
        switch bare.count > Self.longestLine ? nil : format {
        case .combined: found = combined.read(bare)
        case .json:
            found = json.read(bare)
            // The marks of a list stand in lines of their own.
            isHead = found == nil && bare.allSatisfy { "[], ".utf8.contains($0) }
        case .cloudfront:
            switch tabbed.read(bare) {
            case .request(let request): found = request
            case .head: isHead = true
            case .nothing: break
            }
        case .har, nil: break
        }
        if found == nil, !isHead { note(meaninglessAt: lines) }
        return found
    }

    private func note(meaninglessAt place: Int) {
        meaningless += 1
        if meaninglessPlaces.count < Self.mostPlaces { meaninglessPlaces.append("\(file.name):\(place)") }
    }
}

// MARK: - Archives

extension LogCursor {
    /// Hands on all requests of an archive, which is read as a whole.
    /// - Throws: Why it is none.
    func readArchive(_ take: (LoggedRequest) -> Void) throws(AudienceLogError) {
        while !isAtEnd {
            guard buffer.count <= HTTPArchive.largest else {
                throw .unreadable(name: file.name, reason: "an archive of more than 64 MiB: save it without bodies")
            }
            try fill()
        }
        let archive: HTTPArchive
        do throws(AudienceLogError) {
            archive = try HTTPArchive(buffer.bytes)
        } catch {
            throw .unreadable(name: file.name, reason: error.message)
        }
        archive.handOn { request, entry in
            lines += 1
            guard let request else {
                note(meaninglessAt: entry)
                return
            }
            take(request)
        }
    }
}
