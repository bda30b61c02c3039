import Foundation
import Rules
import Values

@testable import Profile
@testable import Swarm
@testable import Viewer

/// Script of a case, one line a step: settings make the crowd, steps let time pass and answer requests, `show` tells the state.
///
/// The first line says what is proved. A script with rows (`* one ; other`) is played once for each, with their parts in
/// place of `{1}` and `{2}`.
///
///     set FIELD=VALUE     field of the plan, as --set takes it; `fact` sets one of the player
///     servers N           ad servers; likewise viewers, and number, the first viewer's
///     start               joins, registers and gets the first playlist; `join` does the first only
///     watch S             lets seconds pass and answers polls; `wait S` answers nothing
///     fire TIMER, now TIMER   lets time pass until a timer fires; fires it at once
///     answer ROLE ... < BODY  answers the oldest open request; `maybe`: if there is one
///     show WHAT           a line of what is expected
final class CrowdScript {
    struct Unusable: Error, CustomStringConvertible { let description: String }

    private var fields: [String] = []
    private var facts: [String] = []
    private var player: Persona?
    private var setup: [String: String] = [:]
    private var made: ScriptedCrowd?
    private var shown: [String] = []

    /// Plays a case, once for each of its rows.
    static func play(_ text: String) throws -> [String] {
        let lines = text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("# ") }
        let rows = lines.filter { $0.hasPrefix("* ") }.map { $0.dropFirst(2).components(separatedBy: " ; ") }
        let script = lines.dropFirst().filter { !$0.hasPrefix("* ") }
        guard !rows.isEmpty else { return try CrowdScript().play(script) }
        return try rows.flatMap { row in
            let filled = script.map { line in
                row.enumerated().reduce(line) { $0.replacing("{\($1.offset + 1)}", with: $1.element) }
            }
            return ["* " + row.joined(separator: " ; ")] + (try CrowdScript().play(filled))
        }
    }

    private func play(_ lines: [String]) throws -> [String] {
        for line in lines {
            do {
                try play(line)
            } catch {
                throw Unusable(description: "\(line): \(error)")
            }
        }
        return shown
    }

    private func play(_ line: String) throws {
        let parts = line.split(separator: " < ", maxSplits: 1).map(String.init)
        var words = Words(parts.first ?? "")
        guard let verb = words.next() else { return }
        switch verb {
        case "set": fields.append(words.rest)
        case "fact": facts.append(words.rest)
        case "player": player = try Self.player(words.rest)
        case "viewers", "number", "servers", "identified": setup[verb] = words.next() ?? "yes"
        case "show": shown += try crowd().shown(words.rest)
        default: shown += try crowd().play(verb, &words, body: parts.dropFirst().first)
        }
    }

    private static func player(_ name: String) throws -> Persona {
        guard let known = KnownPersona.named(name) else { throw Unusable(description: "no player") }
        return known.persona
    }

    private func crowd() throws -> ScriptedCrowd {
        if let made { return made }
        let number = { (name: String, usual: Int) in self.setup[name].flatMap { Int($0) } ?? usual }
        let crowd = ScriptedCrowd(
            try LoadPlan.forTests(setting: fields, player, facts),
            viewers: number("viewers", 1),
            number: number("number", 0),
            identifiesViewers: setup["identified"] != nil,
            adServers: [ScriptedCrowd.server, "http://127.0.0.2:8080"].prefix(number("servers", 2)).map { $0 }
        )
        made = crowd
        return crowd
    }
}

struct Words {
    private var left: ArraySlice<String>

    init(_ text: String) { left = text.split(separator: " ").map(String.init)[...] }

    var rest: String { left.joined(separator: " ") }

    mutating func next() -> String? { left.popFirst() }

    mutating func number() throws -> Double {
        guard let number = left.first.flatMap({ Double($0) }) else {
            throw CrowdScript.Unusable(description: "no number: \(rest)")
        }
        left.removeFirst()
        return number
    }

    mutating func numbers() -> [Double] {
        let numbers = left.prefix { Double($0) != nil }
        left.removeFirst(numbers.count)
        return numbers.compactMap { Double($0) }
    }

    mutating func count(else usual: Int = 0) -> Int {
        guard let number = left.first.flatMap({ Int($0) }) else { return usual }
        left.removeFirst()
        return number
    }

    /// Words that are left of the form NAME=VALUE.
    func pairs() -> [String: String] {
        left.reduce(into: [:]) { pairs, word in
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 { pairs[parts[0]] = parts[1] }
        }
    }

    mutating func name<Case: CaseIterable>(of type: Case.Type) throws -> Case {
        let name = next() ?? ""
        guard let found = Case.allCases.first(where: { "\($0)" == name }) else {
            throw CrowdScript.Unusable(description: "no \(type): \(name)")
        }
        return found
    }
}

extension LoadPlan {
    /// The plan of tests with fields that are set as `--set` does, and a player with facts that are set in the same way.
    fileprivate static func forTests(setting fields: [String], _ player: Persona?, _ facts: [String]) throws -> LoadPlan
    {
        let yaml = """
            duration: 60s
            target: {podServing: {contentURL: "\(ScriptedCrowd.contentURL)", adServer: "\(ScriptedCrowd.server)",
              networkCode: "21775744923", customAssetKey: sgai-hls-live}}
            audience: {viewers: 1}
            breaks: {source: {every: 20s}}
            impressions: allowed
            """
        var plan = try read(yaml, fields) { LoadPlan(reading: $0, over: .forTests()) }
        guard player != nil || !facts.isEmpty else { return plan }
        let standing = player ?? .ofProfile(plan.playback)
        let changed = try read("{}", facts) { Persona(reading: $0, over: standing) }
        plan.audience.personas = [PersonaShare(changed, share: 1)]
        return plan
    }

    private static func read<Value>(
        _ yaml: String,
        _ fields: [String],
        as value: (ProfileSection) -> Value
    ) throws -> Value {
        let reading = ProfileReading(surroundings: .process, folder: "")
        var root = try YAMLText.parse(yaml)
        for field in fields {
            let override = try Override(parsing: field)
            try root?.set(override.components[...], to: try override.node())
        }
        let section = ProfileSection(path: "", node: root, reading: reading)
        let value = value(section)
        guard reading.problems.isEmpty else { throw ProfileErrors(path: "case", problems: reading.problems) }
        return value
    }
}
