import ArgumentParser
import Foundation
import HLS
import Profile
import Rehearsal
import Rules
import Values

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration("explain")

    @Argument(
        help: ArgumentHelp(
            "A finding, such as pod_mismatch, or a field of profiles, such as audience.viewers.",
            valueName: "code-or-field"
        )
    )
    var name: String?

    @Option(name: .customLong("scte35"), help: "A splice_info_section in base64 or hexadecimal, to print in words.")
    var section: String?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if section != nil, name != nil || json { throw ValidationError("--scte35 goes with neither a name nor --json") }
    }

    func run() throws {
        if let section { return StandardStream.output.write(try Self.words(of: section)) }
        guard let name else { return try write(FindingCode.table) { $0.list(width: $1) } }
        if let finding = FindingCode(name: name) { return try write([finding]) { $0[0].explanation(width: $1) } }
        let fields = FieldNames.entries(at: name)
        guard !fields.isEmpty else {
            throw CommandFailure("there is no finding or field \(name); \(FieldNames.hint(for: name))")
        }
        try write(fields) { fields, width in fields.map { $0.explanation(width: width) }.joined(separator: "\n") }
    }

    /// Prints a single element without the list in JSON.
    private func write<Element: JSONDocument>(_ all: [Element], text: ([Element], Int) -> String) throws {
        guard json else { return StandardStream.output.write(text(all, StandardStream.output.width)) }
        try OutputPlace.write(json: all.count == 1 ? all[0].json() : all.json(), to: OutputPlace.standardOutput)
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
            throw CommandFailure("--scte35: expected \(fault.expected)")
        }
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
        let indented = { (text: String) in WrappedText.lines(text, width: width, first: "  ", then: "  ") }
        let causes = likelyCauses.flatMap { WrappedText.lines($0, width: width, first: "  - ", then: "    ") }
        let lines =
            ["\(code)  (\(severity.rawValue))", ""]
            + WrappedText.lines(meaning, width: width)
            + ["", "Rule"] + rule.bases.flatMap { Self.told($0, width: width) }
            + ["", "Likely causes"] + causes
            + ["", "Where to look"] + indented(whereToLook)
            + indented(
                "Each sighting in a result names the address that answered, what its head said of caches and points of "
                    + "presence, and the trace id where the request carried a traceparent (connection.traceShare)."
            ) + ["", "To see it happen"]
            + indented(
                "The embedded origin's planned fault \"\(fault)\" produces it: the line \"- {fault: \(fault)}\" in the "
                    + "file that target.embedded.faults names, like those in Profiles/faults."
            )
        return lines.joined(separator: "\n") + "\n"
    }

    /// Minimum of columns beside the code.
    private static let leastColumn = 40

    fileprivate func line(column: Int, width: Int) -> String {
        let head = "  \(code.padded(to: column))  \(severity.rawValue.padded(to: 7))  "
        let beside = width - head.count >= Self.leastColumn
        let indent = String(repeating: " ", count: beside ? head.count : 6)
        let lines = WrappedText.lines(meaning, width: width, first: beside ? head : indent, then: indent)
        return (beside ? lines : ["  \(code)  \(severity.rawValue)"] + lines).joined(separator: "\n")
    }

    /// An address gets a line of its own, so that it can be copied.
    private static func told(_ basis: FindingRule.Basis, width: Int) -> [String] {
        let (text, address) =
            switch basis {
            case .written(let citation): (citation.text, citation.document.address)
            case .assumed(let assumption): (assumption.text, String?.none)
            }
        return WrappedText.lines(text, width: width, first: "  - ", then: "    ")
            + (address.map { ["    \($0)"] } ?? [])
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

extension [FindingCode] {
    fileprivate func list(width: Int) -> String {
        let (width, column) = (Swift.max(width, 60), map(\.code.count).max() ?? 0)
        let parts = FindingCode.Group.allCases.compactMap { group -> String? in
            let own = filter { $0.group == group }
            guard !own.isEmpty else { return nil }
            return ([group.title] + own.map { $0.line(column: column, width: width) }).joined(separator: "\n") + "\n"
        }
        return parts.joined(separator: "\n")
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

extension FieldEntry: JSONDocument {
    private enum Member: CodingKey { case field, kind, `default`, allowed, required, compare, meaning }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        try members.encode(path, forKey: .field)
        try members.encode(kind, forKey: .kind)
        try members.encodeIfPresent(usual, forKey: .default)
        try members.encodeIfPresent(allowed.isEmpty ? nil : allowed, forKey: .allowed)
        try members.encode(isRequired, forKey: .required)
        try members.encode(comparison.rawValue, forKey: .compare)
        try members.encode(meaning, forKey: .meaning)
    }

    fileprivate func explanation(width: Int) -> String {
        let width = min(max(width, 40), 100)
        let facts = [
            ("Kind", kind), ("Allowed", allowed), ("Default", isRequired ? "none: it is required" : usual ?? ""),
            ("Compared runs", comparison.rule),
        ]
        let column = 15
        let lines = facts.filter { !$0.1.isEmpty }.flatMap { name, fact in
            WrappedText.lines(
                fact,
                width: width,
                first: "  \(name.padded(to: column))",
                then: String(repeating: " ", count: column + 2)
            )
        }
        return ([path] + WrappedText.lines(meaning, width: width, first: "  ", then: "  ") + lines)
            .joined(separator: "\n") + "\n"
    }
}

extension FieldEntry.Comparison {
    fileprivate var rule: String {
        switch self {
        case .equal: "must be equal"
        case .free: "may differ"
        case .scheme: "must be http in both, or https in both"
        case .presence: "must be given in both, or in neither; the value may differ"
        }
    }
}

enum FieldNames {
    /// Fields whose last name is meant, such as authorisedHosts, in whichever section.
    private static func lastNames(near name: String, _ paths: [String]) -> [String] {
        let last = { (path: String) in path.split(separator: ".").last.map(String.init) ?? "" }
        guard name.contains("."), let meant = NearestName.slip(last(name), among: paths.map(last)) else { return [] }
        return Array(paths.filter { last($0) == meant }.prefix(3))
    }

    private static var top: [String] { LoadPlan.entries.map(\.path).filter { !$0.contains(".") } }

    /// The field and all below it; indices such as `[0]` are ignored.
    static func entries(at name: String) -> [FieldEntry] {
        let path = name.replacing(/\[[0-9]*\]/, with: "")
        return LoadPlan.entries.filter { $0.path == path || $0.path.hasPrefix("\(path).") }
    }

    /// Similar codes, else fields of this name in another section or with a similar path.
    static func hint(for name: String) -> String {
        guard MetricCatalogue.metric(named: name) == nil else { return "it is a metric: see the page Results" }
        let name = name.replacing(/\[[0-9]*\]/, with: "")
        let paths = LoadPlan.entries.map(\.path)
        let findings = FindingNames.hint(for: name)
        guard name.contains(".") || !findings.hasPrefix("did you mean") else { return findings }
        let twins = paths.filter { $0.lowercased().hasSuffix(".\(name.lowercased())") }
        let slip = NearestName.slip(name, among: paths).map { [$0] }
        let near = twins.isEmpty ? slip ?? lastNames(near: name, paths) : Array(twins.prefix(3))
        return near.isEmpty
            ? "podswarm explain lists all findings; the fields are \(top.joined(separator: ", "))"
            : "did you mean \(near.joined(separator: ", "))?"
    }
}
