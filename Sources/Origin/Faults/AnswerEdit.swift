import HTTPTypes
import NIOCore

/// An answer's text and head while planned faults change them, line by line.
struct AnswerEdit {
    var status: HTTPResponse.Status
    var fields: HTTPFields
    /// The lines without their line ends.
    ///
    /// The last line is empty where the text ends with a line end.
    var lines: [String]

    /// The place of the first line that begins with a text, at or after a place.
    func firstLine(beginningWith prefix: String, from start: Int = 0) -> Int? {
        lines.indices.first { $0 >= start && lines[$0].hasPrefix(prefix) }
    }

    /// The place of the last line that begins with a text.
    func lastLine(beginningWith prefix: String) -> Int? {
        lines.lastIndex { $0.hasPrefix(prefix) }
    }

    /// Places of the lines that name a segment or playlist, in order.
    var uriLines: [Int] {
        lines.indices.filter { !lines[$0].isEmpty && !lines[$0].hasPrefix("#") }
    }

    /// The value after a tag's colon in its first line; nil where the text has no such tag.
    func value(of tag: String) -> String? {
        firstLine(beginningWith: tag + ":").map { String(lines[$0].dropFirst(tag.count + 1)) }
    }

    /// Gives the first line of a tag another value; without such a line nothing changes.
    mutating func setValue(_ value: String, of tag: String) {
        guard let place = firstLine(beginningWith: tag + ":") else { return }
        lines[place] = "\(tag):\(value)"
    }

    /// Puts a line in right after the header that every playlist begins with.
    mutating func insertInHeader(_ line: String) {
        lines.insert(line, at: min(1, lines.count))
    }

    /// Gives the addresses in a playlist, or in JSON, other forms.
    mutating func changeAddresses(by replacement: (String) -> String) {
        for place in lines.indices {
            lines[place] = AddressRewriter.replacingAddresses(in: lines[place], by: replacement)
        }
    }

    mutating func removeLines(beginningWith prefix: String) {
        lines.removeAll { $0.hasPrefix(prefix) }
    }
}

extension Answer {
    /// The answer after planned faults have changed its text; compressed again where the client accepts that.
    func edited(gzip: Bool, by edit: (inout AnswerEdit) -> Void) -> Answer {
        let text = String(buffer: body)
        var changed = AnswerEdit(
            status: status,
            fields: fields,
            lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        )
        edit(&changed)
        let bytes = Array(changed.lines.joined(separator: "\n").utf8)
        guard gzip, changed.fields[.contentEncoding] == nil, changed.fields[.vary] != nil,
            let compressed = Gzip.compress(bytes)
        else { return Answer(status: changed.status, fields: changed.fields, body: .init(bytes: bytes)) }
        changed.fields[.contentEncoding] = "gzip"
        return Answer(status: changed.status, fields: changed.fields, body: .init(bytes: compressed))
    }
}
