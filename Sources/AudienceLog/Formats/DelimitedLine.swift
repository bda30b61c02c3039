/// Reads lines whose fields stand one behind the other, with tabs or with spaces between them.
struct DelimitedLine {
    /// CloudFront's 33 fields in their documented order, for a part of a log without its head.
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

    private let names: FieldNames
    private var columns: [FieldRole?]

    /// - Parameters:
    ///   - names: Roles of the fields that a line of the log names.
    ///   - columns: Roles of the fields of a log without such a line; those of CloudFront if left out.
    init(_ names: FieldNames, columns: [FieldRole?] = []) {
        self.names = names
        self.columns = columns
        guard columns.isEmpty else { return }
        var usual = Self.cloudFront
        usual.withUTF8 { self.columns = Self.columns(LineBytes($0), names) }
    }

    private static func columns(_ list: LineBytes, _ names: FieldNames) -> [FieldRole?] {
        list.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }.prefix(mostColumns).map {
            names.role(of: LineBytes(rebasing: $0))
        }
    }

    /// Reads fields between tabs, whose order the log's `#Fields:` line says.
    mutating func readTabbed(_ line: LineBytes, into request: inout LoggedRequest) -> LogLine {
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

    /// Reads NCSA's combined or common format, as nginx and Apache httpd write it.
    ///
    /// Behind the User-Agent may stand, in any order, an instant with milliseconds (`$msec`), addresses that proxies hand
    /// on (`"$http_x_forwarded_for"`), CMCD (`"$http_cmcd_session"`) and cookies (`"$http_cookie"`).
    static func readCombined(_ line: LineBytes, into request: inout LoggedRequest) -> LogLine {
        var (stamp, first) = (LineBytes.nothing, LineBytes.nothing)
        var (place, quoted) = (0, 0)
        while place < line.count {
            let mark = line[place]
            if mark == UInt8(ascii: " ") {
                place += 1
                continue
            }
            let text: LineBytes
            if mark == UInt8(ascii: "\"") {
                guard let end = line.closingQuote(from: place + 1) else { break }
                text = line.part(place + 1, end)
                place = end + 1
            } else if mark == UInt8(ascii: "["), stamp.isEmpty {
                guard let end = line.place(of: UInt8(ascii: "]"), from: place) else { break }
                text = line.part(place + 1, end)
                place = end + 1
            } else {
                // A word is too short for `memchr`.
                let start = place
                while place < line.count, line[place] != UInt8(ascii: " ") { place += 1 }
                text = line.part(start, place)
            }
            if stamp.isEmpty {
                if isStamp(text) { stamp = text }
                // Before the address may stand a virtual host.
                if isAddresses(text) { request.set(.address, text) }
                if first.isEmpty { first = text }
            } else if mark == UInt8(ascii: "\"") {
                quoted += 1
                switch quoted {
                case 1: request.set(.request, text)
                case 2: break  // The referrer.
                case 3: request.set(.userAgent, text)
                default: setByShape(text, &request)
                }
            } else if quoted >= 3, text.count == 14, text[10] == UInt8(ascii: "."),
                text.part(0, 10).wholeNumber != nil
            {
                request.set(.time, text)
            }
        }
        request.set(.time, stamp)
        request.set(.address, first)
        return .request
    }

    /// Whether a text has the shape of `23/Nov/2026:20:04:23 +0100`.
    private static func isStamp(_ text: LineBytes) -> Bool {
        text.count == 26 && text[2] == UInt8(ascii: "/") && text[6] == UInt8(ascii: "/")
            && text[11] == UInt8(ascii: ":")
    }

    /// Whether a text is one or several addresses of IPv4 or IPv6, and nothing else.
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
}
