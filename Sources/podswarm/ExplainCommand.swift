import ArgumentParser
import Foundation
import HLS
import Rehearsal
import Rules
import Values

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract:
            "Explain what a finding means, which rule it rests on, and where to look; all of them without a code.",
        discussion: """
              podswarm explain
              podswarm explain media_sequence_backwards
              podswarm explain --scte35 /DAlAAAAAAAAAP/wFAUAAAAJf+/+AAg9YP4AKTLgAAEAAAAAx1l9kw==

            Severities: broken (a viewer sees or leaks what it must not; fails a run unless the profile allows it); wrong \
            (contradicts a rule, yet a player may get through); suspect (likely a fault, not certain); advice (a \
            recommendation, never counted against a target).
            """
    )

    @Argument(help: "A code of a result, such as pod_mismatch.")
    var code: String?

    @Option(name: .customLong("scte35"), help: "A splice_info_section in base64 or hexadecimal, to print in words.")
    var section: String?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if section != nil, code != nil || json { throw ValidationError("--scte35 goes with neither a code nor --json") }
    }

    func run() throws {
        if let section { return StandardStream.output.write(try Self.words(of: section)) }
        let rows = try self.rows()
        guard !json else {
            return try OutputPlace.write(
                json: code != nil && rows.count == 1 ? rows[0].json() : rows.json(),
                to: OutputPlace.standardOutput
            )
        }
        let width = StandardStream.output.width
        let text =
            if code == nil {
                FindingList(rows, width: width).text()
            } else {
                rows.map { $0.explanation(width: width) }.joined(separator: "\n")
            }
        StandardStream.output.write(text)
    }

    /// Prints a section even with a wrong length or checksum.
    private static func words(of text: String) throws -> String {
        do {
            let bytes = try SpliceSection.bytes(of: text.trimmed { $0.isWhitespace })
            return try bytes.withUnsafeBytes { bytes in
                let fault = SpliceSection.formFault(of: bytes)
                let isLeftOut = SpliceSection.checksum(bytes) != 0
                let sound = isLeftOut ? "CRC_32 is left out: its four bytes are zero" : "CRC_32 is right"
                let form = fault.map { "expected: \($0.expected)" } ?? sound
                return (try SpliceSection(bytes).words + ["  \(form)"]).joined(separator: "\n") + "\n"
            }
        } catch let fault as SpliceFault {
            throw CommandFailure(.badInput, "--scte35: expected \(fault.expected)")
        }
    }

    private func rows() throws -> [FindingCode] {
        guard let code else { return FindingCode.table }
        guard let row = FindingCode.named(code) else {
            throw CommandFailure(.badInput, "there is no finding \(code); \(FindingNames.hint(for: code))")
        }
        return [row]
    }
}

extension FindingCode: JSONDocument {
    private enum Member: CodingKey {
        case code, group, severity, meaning, rule, written, assumed, likelyCauses, whereToLook, fault
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        try members.encode(code, forKey: .code)
        try members.encode(group.rawValue, forKey: .group)
        try members.encode(severity.rawValue, forKey: .severity)
        try members.encode(meaning, forKey: .meaning)
        try members.encode(rule.text, forKey: .rule)
        try members.encode(rule.citations, forKey: .written)
        try members.encode(rule.assumptions, forKey: .assumed)
        try members.encode(likelyCauses, forKey: .likelyCauses)
        try members.encode(whereToLook, forKey: .whereToLook)
        try members.encode(fault, forKey: .fault)
    }

    fileprivate func explanation(width: Int) -> String {
        let width = min(max(width, 40), 100)
        let causes = likelyCauses.flatMap { WrappedText.lines($0, width: width, first: "  - ", then: "    ") }
        let lines =
            ["\(code)  (\(severity.rawValue))", ""]
            + WrappedText.lines(meaning, width: width)
            + ["", "Rule"] + rule.bases.flatMap { Self.told($0, width: width) }
            + ["", "Likely causes"] + causes
            + ["", "Where to look"] + WrappedText.lines(whereToLook, width: width, first: "  ", then: "  ")
            + WrappedText.lines(
                "Each sighting in a result names the address that answered, what its head said of caches and points of "
                    + "presence, and the trace id where the request carried a traceparent (connection.traceShare).",
                width: width,
                first: "  ",
                then: "  "
            )
            + ["", "To see it happen"]
            + WrappedText.lines(
                "The embedded origin's planned fault \"\(fault)\" produces it: the line \"- {fault: \(fault)}\" in the "
                    + "file that target.embedded.faults names, like those in Profiles/faults.",
                width: width,
                first: "  ",
                then: "  "
            )
        return lines.joined(separator: "\n") + "\n"
    }

    /// An address gets a line of its own, so that it can be copied.
    private static func told(_ basis: FindingRule.Basis, width: Int) -> [String] {
        switch basis {
        case .written(let citation):
            let address = citation.document.address.map { ["    \($0)"] } ?? []
            return WrappedText.lines(citation.text, width: width, first: "  - ", then: "    ") + address
        case .assumed(let assumption):
            return WrappedText.lines(assumption.text, width: width, first: "  - ", then: "    ")
        }
    }
}

extension Citation: Encodable {
    private enum Member: CodingKey { case document, address, statement, quotation, translation }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        try members.encode(document.name, forKey: .document)
        try members.encodeIfPresent(document.address, forKey: .address)
        try members.encode(statement, forKey: .statement)
        try members.encodeIfPresent(quotation, forKey: .quotation)
        try members.encodeIfPresent(translation, forKey: .translation)
    }
}

struct FindingList {
    /// Minimum of columns.
    private static let leastColumn = 40

    private let rows: [FindingCode]
    private let width: Int

    init(_ rows: [FindingCode], width: Int) {
        self.rows = rows
        self.width = max(width, 60)
    }

    func text() -> String {
        let column = rows.map(\.code.count).max() ?? 0
        let parts = FindingCode.Group.allCases.compactMap { group -> String? in
            let own = rows.filter { $0.group == group }
            guard !own.isEmpty else { return nil }
            return ([group.title] + own.map { line($0, column) }).joined(separator: "\n") + "\n"
        }
        return parts.joined(separator: "\n")
    }

    private func line(_ row: FindingCode, _ column: Int) -> String {
        let head = "  \(row.code.padded(to: column))  \(row.severity.rawValue.padded(to: 7))  "
        let beside = width - head.count >= Self.leastColumn
        let indent = String(repeating: " ", count: beside ? head.count : 6)
        let lines = WrappedText.lines(row.meaning, width: width, first: beside ? head : indent, then: indent)
        return (beside ? lines : ["  \(row.code)  \(row.severity.rawValue)"] + lines).joined(separator: "\n")
    }
}

extension FindingCode.Group {
    var title: String {
        switch self {
        case .playlist: "One playlist"
        case .versions: "Successive versions of a playlist"
        case .renditions: "Playlists of a channel side by side"
        case .pods: "Pods and asset lists"
        case .sessions: "Sessions, tokens and tracking"
        case .audience: "What several viewers or edges were given"
        case .answers: "Answers of every kind"
        }
    }
}

enum FindingNames {
    /// At most three similar codes, or a hint at the list of all.
    static func hint(for name: String) -> String {
        let codes = FindingCode.table.map(\.code)
        let holding = codes.filter { name.count > 2 && $0.contains(name.lowercased()) }
        let written = name.lowercased()
        let near = NearestName.all(near: written, among: codes, within: 3).filter { !holding.contains($0) }
        // Includes the misspelt beginning of a longer code.
        let begun = codes.filter { code in
            name.count > 6
                && !NearestName.all(near: written, among: [String(code.prefix(name.count))], within: 2).isEmpty
        }
        let names = (holding + near + begun.filter { !(holding + near).contains($0) }).prefix(3)
        return names.isEmpty ? "podswarm explain lists all" : "did you mean \(names.joined(separator: ", "))?"
    }
}
