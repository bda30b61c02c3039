import Foundation
import Rules
import TestSupport
import Testing
import Values

/// A target that a file describes, and the findings that each command has in it; see README.md beside this file.
struct FindingScenario: CustomTestStringConvertible {
    struct Answer {
        var status = 200
        var type: String
        var body = ""
        var flaws: AnswerFlaws = []

        /// A coding without its end makes a body of nothing.
        var failure: TransportFailure? { flaws.contains(.codingInvalid) ? .truncated : nil }
    }

    let title: String
    private(set) var codes: Set<String> = []
    /// The first one is the channel.
    private var files: [(name: String, lines: [String])] = []

    var testDescription: String { title }

    static let folder = "Tests/SwarmTests/SameFindings"

    static func all() throws -> [FindingScenario] {
        try ["media-playlists", "multivariant-playlists"].flatMap {
            try scenarios(in: PackageFolder.text("\(folder)/\($0).txt"))
        }
    }

    private static func scenarios(in text: String) -> [FindingScenario] {
        text.split(separator: "\n").reduce(into: []) { found, line in
            let last = found.count - 1
            switch line.prefix(2) {
            case "##": break
            case "==": found.append(FindingScenario(title: String(line.dropFirst(4))))
            case "! ": found[last].codes.insert(String(line.dropFirst(2)))
            case "> ": found[last].files.append((String(line.dropFirst(2)), []))
            default: found[last].files[found[last].files.count - 1].lines.append(String(line))
            }
        }
    }

    private init(title: String) { self.title = title }

    /// Answer to a request some seconds after the beginning; `content` is the name by which the channel is asked for.
    func answer(to url: String, content: String, at seconds: Double) -> Answer {
        let name = url.prefix { $0 != "?" }.split(separator: "/").last.map(String.init) ?? ""
        let file = files.first { $0.name == name } ?? (name == content ? files.first : nil)
        guard let file else { return Answer(status: 404, type: "text/plain") }
        var page = ScenarioPage(seconds: seconds, isDelta: url.contains("_HLS_skip="))
        for line in file.lines { page.read(line) }
        let usual = file.name.hasSuffix(".json") ? "application/json" : "application/vnd.apple.mpegurl"
        return Answer(status: page.status, type: page.type ?? usual, body: page.body, flaws: page.flaws)
    }
}

/// One file of a scenario at one moment.
private struct ScenarioPage {
    /// Segment 100 begins with the scenario.
    private static let epoch = ScriptedCrowd.wallStart + .seconds(-100)

    let seconds: Double
    private let isDelta: Bool
    private(set) var status = 200
    private(set) var type: String?
    private(set) var flaws: AnswerFlaws = []
    private var lines: [String] = []
    private var options: [String: String] = [:]
    private var shift: (from: Int, seconds: Double)?
    private var tags: [(isBefore: (Int) -> Bool, text: String)] = []

    init(seconds: Double, isDelta: Bool) { (self.seconds, self.isDelta) = (seconds, isDelta) }

    mutating func read(_ line: String) {
        guard let match = line.firstMatch(of: /^\[([0-9.]*?)\.\.([0-9.]*)\] (.*)$/) else { return take(line) }
        let (from, to) = (Double(match.1) ?? 0, Double(match.2) ?? .infinity)
        if seconds >= from, seconds < to { take(String(match.3)) }
    }

    private mutating func take(_ line: String) {
        guard line.hasPrefix("@") else { return lines.append(line) }
        let parts = line.dropFirst().split(separator: " ", maxSplits: 1).map(String.init)
        let value = parts.count > 1 ? parts[1] : ""
        let words = value.split(separator: " ", maxSplits: 1).map(String.init)
        let number = words.first.flatMap { Int($0) } ?? 0
        switch parts[0] {
        case "status": status = number
        case "flaw": flaws.formUnion(ScriptedCrowd.flaws[value] ?? [])
        case "header": type = value.replacing("Content-Type: ", with: "")
        case "shift": shift = (number, Double(words[1]) ?? 0)
        case "before": tags.append(({ $0 == number }, words[1]))
        case "every": tags.append(({ $0 % number == 0 }, words[1]))
        default: options[parts[0]] = value
        }
    }

    private func number(_ option: String, _ usual: Double) -> Double { options[option].flatMap { Double($0) } ?? usual }

    private var newest: Int { 100 + Int(seconds / number("pace", 1)) - Int(number("back", 0)) }

    private var first: Int { newest - Int(number("window", 6)) + 1 }

    private static func date(_ number: Double) -> String { (epoch + .milliseconds(Int64(number * 1_000))).iso8601 }

    private var segments: [String] {
        let skipped = isDelta ? Int(number("skip", 0)) : 0
        let skip = skipped > 0 ? ["#EXT-X-SKIP:SKIPPED-SEGMENTS=\(skipped)"] : []
        return skip
            + (first + skipped...newest).flatMap { number -> [String] in
                let later = shift.map { number >= $0.from ? $0.seconds : 0 } ?? 0
                let date = "#EXT-X-PROGRAM-DATE-TIME:\(Self.date(Double(number) + later))"
                let dates = options["undated"] == nil ? [date] : []
                let media = ["#EXTINF:\(options["duration"] ?? "1.000"),", "\(options["name"] ?? "s")\(number).ts"]
                return tags.filter { $0.isBefore(number) }.map(\.text) + dates + media
            }
    }

    var body: String {
        let head = ["#EXTM3U", "#EXT-X-VERSION:9", "#EXT-X-TARGETDURATION:1", "#EXT-X-MEDIA-SEQUENCE:\(first)"]
        return lines.flatMap { line -> [String] in
            switch line {
            case "{head}": head
            case "{segments}": segments
            default: [filled(line)]
            }
        }.map { "\($0)\n" }.joined()
    }

    private func filled(_ line: String) -> String {
        line.replacing("{first}", with: "\(first)").replacing("{newest}", with: "\(newest)")
            .replacing(/\{date (\d+)\}/) { Self.date(Double($0.1) ?? 0) }
            .replacing(/\{passed (\d+)\}/) { "\((first - 1) / (Int($0.1) ?? 1))" }
    }
}
