import CTexts

/// Help of a command, as `commands.txt` has it.
package struct CommandText: Sendable {
    package private(set) var abstract = ""
    package private(set) var discussion = ""

    /// Keyed by the words of commands, such as `profile list`, and by those of removed options, such as `run --order`.
    package static let all: [String: CommandText] = {
        var all: [String: CommandText] = [:]
        for block in String(cString: podswarm_commands()).split(separator: "\n= ").dropFirst() {
            let lines = block.split(separator: "\n", omittingEmptySubsequences: false)
            let text = joined(lines.dropFirst())
            let end = text.firstRange(of: "\n\n")
            let exit = all["exit"]?.abstract ?? ""
            all[String(lines[0])] = CommandText(
                abstract: String(text[..<(end?.lowerBound ?? text.endIndex)]),
                discussion: end.map { String(text[$0.upperBound...]).replacing("{exit}", with: exit) } ?? ""
            )
        }
        return all
    }()

    /// Empty for unknown words, which the tests report.
    package static func of(_ words: String) -> CommandText { all[words] ?? CommandText() }

    /// Indented lines stay lines of their own.
    private static func joined(_ lines: ArraySlice<Substring>) -> String {
        var text = ""
        for line in lines {
            let goesOn = text.last?.isWhitespace == false && line.first?.isWhitespace == false
            text += (goesOn ? " " : text.isEmpty ? "" : "\n") + line
        }
        while text.hasSuffix("\n") { text.removeLast() }
        return text
    }
}
