import Foundation
import Results
import TestSupport
import Values

/// A result whose every free text is written by somebody who wants something of whoever opens it.
enum HostileResult {
    /// Beginnings that a spreadsheet takes for a formula.
    private static let formulas = ["=cmd|'/c calc'!A0", "+1+1", "-2+3", "@SUM(1)"]

    private static let markup = """
        <script>document.title='owned'</script><img src=x onerror="document.title='owned'"></style></title></textarea>\
        <svg onload=document.title='owned'><a href="javascript:document.title='owned'">x</a> ' " {{title}} ]]> --> \
        \u{600}<script>document.title='owned'</script> "\u{301} onmouseover="document.title='owned'" <!--<script> <b> \
        [link](javascript:alert(1)) ![image](http://127.0.0.1:9/x.png) | ` `` ``` **b** @team #1 \
        https://evil.example/x www.evil.example <https://evil.example>
        # heading
        - list\r
        \u{1B}[31m\u{1B}]0;owned\u{07}\u{9B}31m\u{202E}txt.exe\u{2066}\u{2028}\u{0}\u{FFFF}end
        """

    /// What a piece of the text is found by where it was not cut.
    static let mark = "document.title='owned'"

    /// The golden result with this text in place of all that a reader takes as free text.
    static func json(startedAtMicroseconds: Int64) throws -> (json: Data, places: Int) {
        let whole = try JSONSerialization.jsonObject(with: Data(contentsOf: GoldenFile.result))
        var refused: Set<String> = ["schema"]
        var kinds: Set<String> = []
        collect(whole, at: "", into: &kinds)
        for kind in kinds.sorted() where kind != "schema" {
            let changed = replaced(whole, at: "") { $0 == kind }
            let data = try JSONSerialization.data(withJSONObject: changed)
            if (try? ResultDocument(json: data)) == nil { refused.insert(kind) }
        }
        guard var document = replaced(whole, at: "", where: { !refused.contains($0) }) as? [String: Any],
            var run = document["run"] as? [String: Any]
        else { throw CocoaError(.fileReadCorruptFile) }
        run["started_at_us"] = startedAtMicroseconds
        run["labels"] = [
            "release": text(0), "commit": text(1), "content_id": text(2), "sdp": text(3),
            "a=b\n\u{1B}[1m\"\\<b>": text(0),
        ]
        document["run"] = run
        let data = try JSONSerialization.data(withJSONObject: document)
        _ = try ResultDocument(json: data)
        return (data, kinds.subtracting(refused).count)
    }

    private static func text(_ number: Int) -> String { formulas[number % formulas.count] + " " + markup }

    /// The kinds of places where a text stands: its path with all items of a list as one.
    private static func collect(_ value: Any, at path: String, into kinds: inout Set<String>) {
        if let members = value as? [String: Any] {
            for (key, member) in members { collect(member, at: path.isEmpty ? key : "\(path).\(key)", into: &kinds) }
        } else if let items = value as? [Any] {
            for item in items { collect(item, at: path + "[]", into: &kinds) }
        } else if value is String {
            kinds.insert(path)
        }
    }

    private static func replaced(_ value: Any, at path: String, where isChosen: (String) -> Bool) -> Any {
        if let members = value as? [String: Any] {
            return Dictionary(
                uniqueKeysWithValues: members.map { key, member in
                    (key, replaced(member, at: path.isEmpty ? key : "\(path).\(key)", where: isChosen))
                }
            )
        }
        if let items = value as? [Any] { return items.map { replaced($0, at: path + "[]", where: isChosen) } }
        return value is String && isChosen(path) ? text(path.utf8.count) : value
    }
}
