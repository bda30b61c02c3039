import HTTPTypes
import NIOCore

/// An answer's text and head while planned faults change them, line by line.
struct AnswerEdit {
    var status: HTTPResponse.Status
    var fields: HTTPFields
    /// Lines without line ends; the last one is empty if the text ends with a line end.
    var lines: [String]

    func firstLine(beginningWith prefix: String, from start: Int = 0) -> Int? {
        lines.indices.first { $0 >= start && lines[$0].hasPrefix(prefix) }
    }

    func lastLine(beginningWith prefix: String) -> Int? {
        lines.lastIndex { $0.hasPrefix(prefix) }
    }

    var uriLines: [Int] {
        lines.indices.filter { !lines[$0].isEmpty && !lines[$0].hasPrefix("#") }
    }

    func value(of tag: String) -> String? {
        firstLine(beginningWith: tag + ":").map { String(lines[$0].dropFirst(tag.count + 1)) }
    }

    /// Replaces the value of a tag's first line; no effect without the tag.
    mutating func setValue(_ value: String, of tag: String) {
        guard let place = firstLine(beginningWith: tag + ":") else { return }
        lines[place] = "\(tag):\(value)"
    }

    /// Inserts a line after the first one, `#EXTM3U`.
    mutating func insertInHeader(_ line: String) {
        lines.insert(line, at: min(1, lines.count))
    }

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
    /// Applies changes to the answer's text and compresses it again if the client accepts that.
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
