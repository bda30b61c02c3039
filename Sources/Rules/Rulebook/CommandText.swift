import CTexts

/// Help of a command, as `commands.txt` has it.
package struct CommandText: Sendable {
    package private(set) var abstract = ""
    package private(set) var discussion = ""

    /// Keyed by the words of commands, such as `profile list`, and by those of removed options, such as `run --order`.
    package static let all: [String: CommandText] = {
        let text = String(cString: podswarm_commands()).utf8
        let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map { Substring($0) }
        let heads = lines.indices.filter { lines[$0].hasPrefix("= ") }
        var all: [String: CommandText] = [:]
        for (head, end) in zip(heads, heads.dropFirst() + [lines.endIndex]) {
            let abstract = lines[(head + 1)..<end].prefix { !$0.isEmpty }
            let discussion = lines[abstract.endIndex..<end].drop(while: \.isEmpty)
            let exit = all["exit"]?.abstract ?? ""
            all[String(lines[head].dropFirst(2))] = CommandText(
                abstract: joined(abstract),
                discussion: joined(discussion.map { $0 == "{exit}" ? exit[...] : $0 })
            )
        }
        return all
    }()

    /// Empty for unknown words, which the tests report.
    package static func of(_ words: String) -> CommandText { all[words] ?? CommandText() }

    /// Indented lines stay lines of their own.
    private static func joined(_ lines: some Collection<Substring>) -> String {
        var text = ""
        for line in lines {
            let goesOn = text.last?.isWhitespace == false && line.first?.isWhitespace == false
            text += (goesOn ? " " : text.isEmpty ? "" : "\n") + line
        }
        while text.hasSuffix("\n") { text.removeLast() }
        return text
    }
}
