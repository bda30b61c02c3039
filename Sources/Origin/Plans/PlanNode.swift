import HLS
import Time
import Wording
import Yams

/// A place in a plan; what is wrong there is noted and read as absent.
struct PlanNode {
    let node: Node
    let mistakes: PlanMistakes

    init(_ node: Node, mistakes: PlanMistakes) {
        self.node = node
        self.mistakes = mistakes
    }

    /// The root of a text; nil where the text is empty or not YAML.
    ///
    /// The latter is noted.
    init?(yaml text: String, mistakes: PlanMistakes) {
        do {
            guard let node = try Yams.compose(yaml: text) else { return nil }
            self.init(node, mistakes: mistakes)
        } catch {
            switch error as? YamlError {
            case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
                .composer(_, let problem, let mark, _):
                mistakes.note(max(1, mark.line), "not YAML: \(problem)")
            default: mistakes.note(1, "not YAML: it cannot be read")
            }
            return nil
        }
    }

    var line: Int { node.mark?.line ?? 1 }

    func note(_ message: String) {
        mistakes.note(line, message)
    }

    /// Notes every other key, and a node that is no mapping.
    func refuseUnknownKeys(allowed: [String]) {
        guard let mapping = node.mapping else {
            note("must be a mapping")
            return
        }
        for (key, _) in mapping where !allowed.contains(key.string ?? "") {
            PlanNode(key, mistakes: mistakes).noteUnknown("key", among: allowed)
        }
    }

    /// Notes that the name at this place is not an allowed one.
    func noteUnknown(_ what: String, among allowed: [String]) {
        let name = string ?? ""
        let hint = NearestName.all(near: name, among: allowed, within: 3).first.map { " (did you mean \($0)?)" } ?? ""
        note("unknown \(what) \"\(name)\"\(hint); allowed: \(allowed.joined(separator: ", "))")
    }

    var string: String? { node.string }

    var int: Int? { node.int }

    /// A time with its unit, perhaps signed.
    var duration: Duration? { node.string.flatMap(Duration.init(signedText:)) }

    /// A percentage, 1 for 100%.
    var percentage: Double? {
        let text = node.string ?? ""
        return text.hasSuffix("%") ? Double(text.dropLast()).map { $0 / 100 } : nil
    }

    /// Keys and values of a mapping; nil for what is none.
    var entries: [(key: PlanNode, value: PlanNode)]? {
        node.mapping?.map { (PlanNode($0.key, mistakes: mistakes), PlanNode($0.value, mistakes: mistakes)) }
    }

    /// The elements of a list; nil for what is none.
    var list: [PlanNode]? {
        node.sequence?.map { PlanNode($0, mistakes: mistakes) }
    }

    /// The value of a key; nil where it is absent.
    subscript(key: String) -> PlanNode? {
        node.mapping?[key].map { PlanNode($0, mistakes: mistakes) }
    }

    /// The elements of a list; a single value counts as a list of one.
    var elements: [PlanNode] {
        list ?? [self]
    }

    /// The elements as texts; an element that is no text becomes empty.
    var words: [String] { elements.map { $0.node.string ?? "" } }

    /// A time with its unit, `ms`, `s`, `m` or `h`, within bounds.
    func duration(_ key: String, _ bounds: ClosedRange<Duration>) -> Duration? {
        read(key, "a time such as 500ms or 10s, from \(bounds.lowerBound) to \(bounds.upperBound)") { node in
            Self.duration(node, bounds)
        }
    }

    private static func duration(_ node: Node, _ bounds: ClosedRange<Duration>) -> Duration? {
        guard let duration = Duration(signedText: node.string ?? ""), bounds.contains(duration) else { return nil }
        return duration
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
            PlanNode(node, mistakes: mistakes).percentage.flatMap { (0...1).contains($0) ? $0 : nil }
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

    /// Any of a few words, each at most once; where there is a word for none, that one gives an empty list.
    func choices<Choice: RawRepresentable & CaseIterable>(_ key: String, orNone none: String? = nil) -> [Choice]?
    where Choice.RawValue == String {
        let allowed = Choice.allCases.map(\.rawValue).joined(separator: ", ") + (none.map { ", or \($0)" } ?? "")
        return read(key, "a list of \(allowed)") { node in
            if let none, node.string == none { return [] }
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
