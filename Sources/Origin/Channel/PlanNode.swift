import HLS
import Yams

/// Gathers what is wrong with a plan while it is read.
final class PlanMistakes {
    private(set) var all: [ChannelPlanError.Mistake] = []

    func note(_ line: Int, _ message: String) {
        all.append(ChannelPlanError.Mistake(line: line, message: message))
    }
}

/// A mapping of a plan, read key by key; what is wrong is noted and read as absent.
struct PlanNode {
    let node: Node
    let mistakes: PlanMistakes

    init(_ node: Node, mistakes: PlanMistakes) {
        self.node = node
        self.mistakes = mistakes
    }

    /// The root of a text; nil where it is empty or not YAML, which is noted.
    init?(yaml text: String, mistakes: PlanMistakes) {
        do {
            guard let node = try Yams.compose(yaml: text) else { return nil }
            self.init(node, mistakes: mistakes)
        } catch {
            switch error as? YamlError {
            case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
                .composer(_, let problem, let mark, _):
                mistakes.note(max(1, mark.line), "not YAML: \(problem)")
            default: mistakes.note(1, "not YAML")
            }
            return nil
        }
    }

    var line: Int { node.mark?.line ?? 1 }

    func note(_ message: String) {
        mistakes.note(line, message)
    }

    /// Notes every key that is none of these, and a node that is no mapping.
    func refuseUnknownKeys(allowed: [String]) {
        guard let mapping = node.mapping else {
            note("must be a mapping")
            return
        }
        for (key, _) in mapping {
            let name = key.string ?? ""
            guard !allowed.contains(name) else { continue }
            let nearest = allowed.min { EditDistance.between($0, name) < EditDistance.between($1, name) }
            let hint = nearest.map { EditDistance.between($0, name) <= 3 ? " (did you mean \($0)?)" : "" } ?? ""
            mistakes.note(
                key.mark?.line ?? line,
                "unknown key \"\(name)\"\(hint); allowed: \(allowed.joined(separator: ", "))"
            )
        }
    }

    /// The value of a key; nil where it is absent.
    subscript(key: String) -> PlanNode? {
        node.mapping?[key].map { PlanNode($0, mistakes: mistakes) }
    }

    /// The elements of a list; a single value counts as a list of one.
    var elements: [PlanNode] {
        guard let sequence = node.sequence else { return [self] }
        return sequence.map { PlanNode($0, mistakes: mistakes) }
    }

    /// The elements as texts; what is none is empty.
    var words: [String] { elements.map { $0.node.string ?? "" } }

    /// A time with its unit, `ms`, `s`, `m` or `h`, within bounds.
    func duration(_ key: String, _ bounds: ClosedRange<Duration>) -> Duration? {
        read(key, "a time such as 500ms or 10s, from \(bounds.lowerBound) to \(bounds.upperBound)") { node in
            Self.duration(node, bounds)
        }
    }

    private static func duration(_ node: Node, _ bounds: ClosedRange<Duration>) -> Duration? {
        let text = node.string ?? ""
        let units: [(String, Double)] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)]
        guard let (unit, scale) = units.first(where: { text.hasSuffix($0.0) }),
            let number = Double(text.dropLast(unit.count)), number.magnitude < 1e9
        else { return nil }
        let duration = Duration.milliseconds(Int64((number * scale).rounded()))
        return bounds.contains(duration) ? duration : nil
    }

    /// The times of a list, each within bounds.
    func durations(_ bounds: ClosedRange<Duration>) -> [Duration] {
        elements.compactMap { element in
            if let duration = Self.duration(element.node, bounds) { return duration }
            element.note("must be a time such as 500ms or 10s, from \(bounds.lowerBound) to \(bounds.upperBound)")
            return nil
        }
    }

    /// The instants of a list, in ISO 8601 with a zone.
    func instants() -> [WallTime] {
        elements.compactMap { element in
            if let time = element.node.string.flatMap(WallTime.init(iso8601:)) { return time }
            element.note("must be a date and time such as 2026-11-21T20:00:00Z")
            return nil
        }
    }

    func integer(_ key: String, _ bounds: ClosedRange<Int>) -> Int? {
        read(key, "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)") { node in
            node.int.flatMap { bounds.contains($0) ? $0 : nil }
        }
    }

    /// A percentage from 0 to 100, as a number from 0 to 1.
    func share(_ key: String) -> Double? {
        read(key, "a percentage from 0% to 100%") { node in
            let text = node.string ?? ""
            guard text.hasSuffix("%"), let percent = Double(text.dropLast()), (0...100).contains(percent) else {
                return nil
            }
            return percent / 100
        }
    }

    func boolean(_ key: String) -> Bool? {
        read(key, "true or false") { $0.bool }
    }

    func text(_ key: String) -> String? {
        read(key, "a text") { node in node.string.flatMap { $0.isEmpty ? nil : $0 } }
    }

    /// One of a few words.
    func choice<Choice: RawRepresentable & CaseIterable>(_ key: String) -> Choice? where Choice.RawValue == String {
        read(key, "one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))") { node in
            node.string.flatMap(Choice.init(rawValue:))
        }
    }

    /// Any of a few words, each at most once.
    func choices<Choice: RawRepresentable & CaseIterable>(_ key: String) -> [Choice]?
    where Choice.RawValue == String {
        read(key, "a list of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))") { node in
            let words = node.sequence?.map { $0.string ?? "" } ?? [node.string ?? ""]
            let choices = words.compactMap(Choice.init(rawValue:))
            return choices.count == words.count && Set(words).count == words.count ? choices : nil
        }
    }

    private func read<Value>(_ key: String, _ allowed: String, _ convert: (Node) -> Value?) -> Value? {
        guard let value = node.mapping?[key] else { return nil }
        if let converted = convert(value) { return converted }
        mistakes.note(value.mark?.line ?? line, "\(key) must be \(allowed)")
        return nil
    }
}
