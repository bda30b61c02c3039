import Values

/// Finds YAML aliases before a parser can expand them.
///
/// Yams compares and hashes expanded nodes while it reads, so a few hundred bytes of nested aliases would keep it busy for
/// ever. A profile needs none. Searching the text for `&name` and `*name` with equal names finds every resolvable alias.
/// text, which finds every alias that a parser could resolve.
enum AliasGuard {
    /// The first `*name` for which an `&name` exists too; nil without one.
    static func firstAlias(in text: String) -> (name: String, line: Int, column: Int)? {
        let bytes = Array(text.utf8)
        var anchors: Set<ArraySlice<UInt8>> = []
        for index in bytes.indices where bytes[index] == UInt8(ascii: "&") {
            anchors.insert(name(in: bytes, after: index))
        }
        anchors.remove([])
        guard !anchors.isEmpty else { return nil }
        for index in bytes.indices where bytes[index] == UInt8(ascii: "*") {
            let candidate = name(in: bytes, after: index)
            if anchors.contains(candidate) {
                let (line, column) = place(of: index, in: bytes)
                return (String(decoding: candidate, as: UTF8.self), line, column)
            }
        }
        return nil
    }

    private static func name(in bytes: [UInt8], after index: Int) -> ArraySlice<UInt8> {
        bytes[(index + 1)...].prefix { $0.isAlphanumeric || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    }

    private static func place(of index: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
        let before = bytes[..<index]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let lineStart = (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        let isContinuation: (UInt8) -> Bool = { $0 & 0xC0 == 0x80 }
        return (line, bytes[lineStart..<index].count { !isContinuation($0) } + 1)
    }
}
