/// Reads lines of NCSA's combined and common log formats, as nginx and Apache httpd write them.
///
/// What stands behind the User-Agent is looked through too: an instant with milliseconds (`$msec`), addresses that proxies
/// hand on (`"$http_x_forwarded_for"`), CMCD (`"$http_cmcd_session"`) and cookies (`"$http_cookie"`), in any order.
struct CombinedLine {
    private var clock = CommonLogClock()

    /// Reads a line; nil for one that is none of these.
    mutating func read(_ line: LineBytes) -> LoggedRequest? {
        guard let open = Self.stampPlace(in: line), open + 30 < line.count,
            let stamp = clock.milliseconds(line.part(open + 1, open + 27)), line.matches("] \"", at: open + 27),
            let end = Self.closingQuote(in: line, from: open + 30)
        else { return nil }
        var request = LoggedRequest()
        guard request.setRequestLine(line.part(open + 30, end)) else { return nil }
        request.milliseconds = stamp
        request.address = Self.address(in: line.part(0, open))
        guard let referrer = line.place(of: UInt8(ascii: "\""), from: end + 1),
            let referrerEnd = Self.closingQuote(in: line, from: referrer + 1),
            let agent = line.place(of: UInt8(ascii: "\""), from: referrerEnd + 1),
            let agentEnd = Self.closingQuote(in: line, from: agent + 1)
        else { return request }
        let userAgent = line.part(agent + 1, agentEnd)
        request.userAgent = userAgent.isAbsent ? .nothing : userAgent
        Self.readRest(line.part(from: agentEnd + 1), into: &request)
        return request
    }

    /// Where `[23/Nov/` stands.
    private static func stampPlace(in line: LineBytes) -> Int? {
        var place = 0
        while let open = line.place(of: UInt8(ascii: "["), from: place) {
            if open + 27 < line.count, line[open + 3] == UInt8(ascii: "/"), line[open + 7] == UInt8(ascii: "/") {
                return open
            }
            place = open + 1
        }
        return nil
    }

    /// Where the quote stands that ends a text; one behind a backslash is the text's own.
    static func closingQuote(in line: LineBytes, from start: Int) -> Int? {
        var place = start
        while let quote = line.place(of: UInt8(ascii: "\""), from: place) {
            var slashes = 0
            while quote - slashes > start, line[quote - slashes - 1] == UInt8(ascii: "\\") { slashes += 1 }
            if slashes.isMultiple(of: 2) { return quote }
            place = quote + 1
        }
        return nil
    }

    /// The first word that is an address, else the first word: before it may stand a virtual host.
    private static func address(in text: LineBytes) -> LineBytes {
        var first = LineBytes.nothing
        var start = 0
        while start < text.count {
            let end = text.place(of: UInt8(ascii: " "), from: start) ?? text.count
            let word = text.part(start, end)
            if isAddresses(word) { return word }
            if first.isEmpty { first = word }
            start = end + 1
        }
        return first
    }

    /// Whether a text is one address of IPv4 or IPv6 or several, and nothing else.
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

    private static func readRest(_ rest: LineBytes, into request: inout LoggedRequest) {
        var place = 0
        while place < rest.count {
            switch rest[place] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): place += 1
            case UInt8(ascii: "\""):
                guard let end = closingQuote(in: rest, from: place + 1) else { return }
                readQuoted(rest.part(place + 1, end), into: &request)
                place = end + 1
            default:
                let end = rest.place(of: UInt8(ascii: " "), from: place) ?? rest.count
                let word = rest.part(place, end).trimmed
                if word.count == 14, word[10] == UInt8(ascii: "."), let stamp = LogStamp.milliseconds(word) {
                    request.milliseconds = stamp
                }
                place = end + 1
            }
        }
    }

    private static func readQuoted(_ text: LineBytes, into request: inout LoggedRequest) {
        guard !text.isAbsent else { return }
        if isAddresses(text) {
            request.address = text.part(0, text.place(of: UInt8(ascii: ",")) ?? text.count).trimmed
        } else if MediaClientData.session(in: text) != nil {
            request.mediaClientData = text
        } else if text.place(of: UInt8(ascii: "=")) != nil {
            request.cookie = text
        }
    }
}
