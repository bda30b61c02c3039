/// Reads CloudFront's standard logs: fields between tabs, whose order the `#Fields:` line of each file says.
///
/// Source: AWS, "Standard logging reference" (docs.aws.amazon.com/AmazonCloudFront, standard-logs-reference.html).
struct TabbedLine {
    /// The 33 fields in their documented order, for a part of a log without its head.
    static let usualFields = """
        date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) \
        cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken \
        x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status \
        fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len \
        sc-range-start sc-range-end
        """
    private static let head: StaticString = "#Fields:"

    private let names: FieldNames
    private var roles: [FieldRole?] = []

    init(_ names: FieldNames) {
        self.names = names
        var usual = Self.usualFields
        usual.withUTF8 { setFields(LineBytes($0)) }
    }

    /// What a line of the log is.
    enum Reading {
        case request(LoggedRequest)
        /// It belongs to the head.
        case head
        case nothing
    }

    mutating func read(_ line: LineBytes) -> Reading {
        if !line.isEmpty, line[0] == UInt8(ascii: "#") {
            if line.begins(with: Self.head) { setFields(line.part(from: Self.head.utf8CodeUnitCount)) }
            return .head
        }
        var fields = RequestFields()
        var (start, column) = (0, 0)
        while start <= line.count, column < roles.count {
            let end = line.place(of: UInt8(ascii: "\t"), from: start) ?? line.count
            if let role = roles[column] { fields.set(role, line.part(start, end)) }
            start = end + 1
            column += 1
        }
        return fields.finished().map { .request($0) } ?? .nothing
    }

    private mutating func setFields(_ list: LineBytes) {
        var roles: [FieldRole?] = []
        var start = 0
        while start < list.count, roles.count < 256 {
            let end =
                (start..<list.count).first { list[$0] == 0x20 || list[$0] == 0x09 || list[$0] == 0x0D } ?? list.count
            if end > start { roles.append(names.role(of: list.part(start, end))) }
            start = end + 1
        }
        self.roles = roles
    }
}
