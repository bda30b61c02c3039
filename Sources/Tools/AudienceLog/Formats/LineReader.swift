import Values

enum LogLine {
    case request
    /// A line about the log itself.
    case head
    case meaningless
}

/// Reads lines of one format.
final class LineReader {
    /// CloudFront's 33 fields in their documented order, for a log without its head.
    ///
    /// Source: AWS, "Standard logging reference" (docs.aws.amazon.com/AmazonCloudFront, standard-logs-reference.html).
    private static let cloudFront = """
        date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) \
        cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken \
        x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status \
        fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len \
        sc-range-start sc-range-end
        """
    private static let head: StaticString = "#Fields:"
    private static let mostColumns = 256

    let format: LogFormat
    private let names: FieldNames
    private var columns: [FieldRole?]
    /// Unescaped strings of a JSON line, together no longer than the line.
    private var spelt = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var used = 0

    init(_ format: LogFormat, _ names: FieldNames) {
        (self.format, self.names) = (format, names)
        var usual = Self.cloudFront
        columns = usual.withUTF8 { Self.columns(LineBytes($0), names) }
    }

    deinit { spelt.deallocate() }

    /// `request` is valid until the next call.
    func read(_ line: LineBytes, into request: inout LoggedRequest) -> LogLine {
        request = LoggedRequest()
        let kind =
            switch format {
            case .combined: Self.readCombined(line, into: &request)
            case .json: readJSON(line, into: &request)
            case .cloudfront: readTabbed(line, into: &request)
            }
        guard case .request = kind else { return kind }
        return request.interpret() ? .request : .meaningless
    }

    private static func columns(_ list: LineBytes, _ names: FieldNames) -> [FieldRole?] {
        list.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }.prefix(mostColumns).map {
            names.role(of: LineBytes(rebasing: $0))
        }
    }

    /// In the order of the log's `#Fields:` line.
    private func readTabbed(_ line: LineBytes, into request: inout LoggedRequest) -> LogLine {
        guard line.first != UInt8(ascii: "#") else {
            if line.begins(with: Self.head) {
                columns = Self.columns(line.part(from: Self.head.utf8CodeUnitCount), names)
            }
            return .head
        }
        var fields = line.parts(between: UInt8(ascii: "\t"))
        for role in columns {
            guard let field = fields.next() else { break }
            if let role { request.set(role, field) }
        }
        return .request
    }

    /// NCSA's combined or common format, as nginx and Apache httpd write it.
    ///
    /// After the User-Agent may follow, in any order: an instant with milliseconds (`$msec`), addresses from proxies
    /// (`"$http_x_forwarded_for"`), CMCD (`"$http_cmcd_session"`) and cookies (`"$http_cookie"`).
    private static func readCombined(_ line: LineBytes, into request: inout LoggedRequest) -> LogLine {
        guard let open = stampPlace(in: line) else { return .meaningless }
        var first = LineBytes.nothing
        // A virtual host may stand before the address.
        for word in line.part(0, open).parts(between: UInt8(ascii: " ")) {
            if isAddresses(word) { request.set(.address, word) }
            if first.isEmpty { first = word }
        }
        request.set(.address, first)
        var place = open + 28
        for role in [FieldRole.request, nil, .userAgent] {
            guard let quote = line.place(of: UInt8(ascii: "\""), from: place),
                let end = line.closingQuote(from: quote + 1)
            else { break }
            if let role { request.set(role, line.part(quote + 1, end)) }
            place = end + 1
        }
        while place < line.count {
            switch line[place] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"): place += 1
            case UInt8(ascii: "\""):
                let end = line.closingQuote(from: place + 1)
                if let end { setByShape(line.part(place + 1, end), &request) }
                place = (end ?? line.count) + 1
            default:
                let end = line.place(of: UInt8(ascii: " "), from: place) ?? line.count
                let word = line.part(place, end)
                if word.count == 14, word[10] == UInt8(ascii: "."), word.part(0, 10).wholeNumber != nil {
                    request.set(.time, word)
                }
                place = end + 1
            }
        }
        request.set(.time, line.part(open + 1, open + 27))
        return .request
    }

    /// `[23/Nov/2026:20:04:23 +0100]`.
    private static func stampPlace(in line: LineBytes) -> Int? {
        var place = 0
        while let open = line.place(of: UInt8(ascii: "["), from: place), open + 27 < line.count {
            if line[open + 3] == UInt8(ascii: "/"), line[open + 7] == UInt8(ascii: "/"),
                line[open + 12] == UInt8(ascii: ":"), line[open + 27] == UInt8(ascii: "]")
            {
                return open
            }
            place = open + 1
        }
        return nil
    }

    /// IPv4 or IPv6.
    private static func isAddresses(_ text: LineBytes) -> Bool {
        var (points, colons) = (0, 0)
        for byte in text {
            switch byte {
            case UInt8(ascii: "."): points += 1
            case UInt8(ascii: ":"): colons += 1
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: ","), UInt8(ascii: " "):
                continue
            default: return false
            }
        }
        return points >= 3 || colons >= 2
    }

    private static func setByShape(_ text: LineBytes, _ request: inout LoggedRequest) {
        if text.isAbsent { return }
        if isAddresses(text) {
            request.set(.forwarded, text)
        } else if MediaClientData.session(in: text) != nil {
            request.set(.cmcd, text)
        } else if text.place(of: UInt8(ascii: "=")) != nil {
            request.set(.cookie, text)
        }
    }

    // MARK: JSON

    /// Ignores text before the object, such as a syslog head.
    private func readJSON(_ line: LineBytes, into request: inout LoggedRequest) -> LogLine {
        guard let open = line.place(of: UInt8(ascii: "{")) else {
            // Brackets and commas of a list may stand on lines of their own.
            return line.allSatisfy { "[], ".utf8.contains($0) } ? .head : .meaningless
        }
        reset(for: line)
        var name = LineBytes.nothing
        var outer = OuterNames()
        // Contents of lists around a member are ignored.
        var lists = 0
        var place = open + 1
        while place < line.count {
            let byte = line[place]
            place += 1
            switch byte {
            case 0x20, 0x09, 0x0D, UInt8(ascii: ":"): break
            case UInt8(ascii: ","): name = .nothing
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                outer.push(name)
                if byte == UInt8(ascii: "[") { lists += 1 }
                name = .nothing
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard outer.pop() else { return .request }
                if byte == UInt8(ascii: "]") { lists -= 1 }
            case UInt8(ascii: "\""):
                guard let end = line.closingQuote(from: place) else { return .meaningless }
                let text = line.part(place, end)
                place = end + 1
                if isName(line, behind: place) {
                    name = text
                } else if lists == 0, let role = names.role(of: name, in: outer) {
                    request.set(role, self.text(text))
                }
            default:
                let start = place - 1
                while place < line.count, !Self.endsWord(line[place]) { place += 1 }
                let word = line.part(start, place)
                if lists == 0, !word.isEqual(to: "null"), let role = names.role(of: name, in: outer) {
                    request.set(role, word)
                }
            }
        }
        return .meaningless
    }

    private func reset(for line: LineBytes) {
        used = 0
        guard spelt.count < line.count else { return }
        spelt.deallocate()
        spelt = .allocate(byteCount: line.count * 2, alignment: 1)
    }

    private func isName(_ line: LineBytes, behind place: Int) -> Bool {
        var place = place
        while place < line.count, line[place] == 0x20 || line[place] == 0x09 { place += 1 }
        return place < line.count && line[place] == UInt8(ascii: ":")
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") || byte <= 0x20
    }

    /// Text with escapes that JSON does not have stays as it is.
    private func text(_ written: LineBytes) -> LineBytes {
        guard let start = written.baseAddress, written.place(of: UInt8(ascii: "\\")) != nil else { return written }
        let quoted = LineBytes(start: start - 1, count: written.count + 2)
        guard var text = try? JSONValue(parsing: quoted, within: .answer).text, used + text.utf8.count <= spelt.count
        else { return written }
        let room = UnsafeMutableRawBufferPointer(rebasing: spelt[used..<used + text.utf8.count])
        text.withUTF8 { room.copyMemory(from: UnsafeRawBufferPointer($0)) }
        used += room.count
        return UnsafeRawBufferPointer(room)
    }
}
