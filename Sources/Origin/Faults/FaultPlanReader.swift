import Yams

/// Every mistake in a fault plan at once, each with its line.
package struct FaultPlanError: Error, Equatable, CustomStringConvertible {
    /// A mistake and where it stands.
    package struct Mistake: Equatable, Sendable {
        /// Counted from 1.
        package let line: Int
        /// What is wrong, what is allowed, and the nearest valid name for a misspelt one.
        package let message: String
    }

    /// In the order of their lines, never empty.
    package let mistakes: [Mistake]

    package var description: String {
        mistakes.map { "line \($0.line): \($0.message)" }.joined(separator: "\n")
    }
}

/// Reads a fault plan: a YAML list of faults, or a mapping with that list under `faults` and perhaps `edges` beside it.
struct FaultPlanReader {
    private var mistakes: [FaultPlanError.Mistake] = []
    private var edges = EdgePlan()

    /// The plan that a text describes, or every mistake in it.
    static func read(_ text: String, seed: UInt64) throws(FaultPlanError) -> FaultPlan {
        var reader = FaultPlanReader()
        let faults = reader.faults(in: reader.compose(text))
        guard reader.mistakes.isEmpty else {
            throw FaultPlanError(mistakes: reader.mistakes.sorted { $0.line < $1.line })
        }
        return FaultPlan(faults, edges: reader.edges, seed: seed)
    }

    private mutating func compose(_ text: String) -> Node? {
        do {
            return try Yams.compose(yaml: text)
        } catch {
            note(Self.line(of: error), "not YAML: \(Self.problem(of: error))")
            return nil
        }
    }

    private mutating func faults(in root: Node?) -> [PlannedFault] {
        guard let root else { return [] }
        var list = root
        if let mapping = root.mapping {
            for (key, _) in mapping where key.string != "faults" && key.string != "edges" {
                note(key, Self.unknown("key", key.string ?? "", among: ["faults", "edges"]))
            }
            if let value = mapping["edges"] { edges(in: value) }
            guard let value = mapping["faults"] else { return [] }
            list = value
        }
        guard let sequence = list.sequence else {
            note(list, "faults must be a list")
            return []
        }
        return sequence.compactMap { fault(in: $0) }
    }

    private mutating func edges(in node: Node) {
        guard let mapping = node.mapping else {
            note(node, "edges must be a mapping such as {count: 3, assignment: viewer}")
            return
        }
        for (key, value) in mapping {
            switch key.string {
            case "count":
                if let count = value.int, (1...EdgePlan.most).contains(count) {
                    edges.count = count
                } else {
                    note(value, "count must be a number from 1 to \(EdgePlan.most)")
                }
            case "assignment":
                if let assignment = value.string.flatMap(EdgePlan.Assignment.init(rawValue:)) {
                    edges.assignment = assignment
                } else {
                    note(value, "assignment must be viewer or request")
                }
            default:
                note(key, Self.unknown("key of edges", key.string ?? "", among: ["count", "assignment"]))
            }
        }
    }

    private mutating func fault(in node: Node) -> PlannedFault? {
        guard let mapping = node.mapping else {
            note(node, "a fault must be a mapping such as {fault: delay, delay: 2s}")
            return nil
        }
        guard let nameNode = mapping["fault"], let name = nameNode.string else {
            note(node, "a fault must say which one it is: fault: \(FaultKind.all.map(\.name).joined(separator: ", "))")
            return nil
        }
        guard let kind = FaultKind.all.first(where: { $0.name == name }) else {
            note(nameNode, Self.unknown("fault", name, among: FaultKind.all.map(\.name)))
            return nil
        }
        var fault = PlannedFault(kind)
        for (key, value) in mapping {
            setting(key, value, of: &fault)
        }
        for parameter in kind.required.sorted(by: { $0.rawValue < $1.rawValue })
        where mapping[parameter.rawValue] == nil {
            note(nameNode, "\(name) needs \(parameter.rawValue)")
        }
        return fault
    }

    private mutating func setting(_ key: Node, _ value: Node, of fault: inout PlannedFault) {
        let name = key.string ?? ""
        switch name {
        case "fault": break
        case "breaks": fault.breaks = breaks(value)
        case "share": fault.share = share(value)
        case "kinds": fault.requests = kinds(value, of: fault.kind)
        case "from": fault.from = window(value, "from", least: .zero - .seconds(86_400))
        case "lasting": fault.lasting = window(value, "lasting", least: .milliseconds(1))
        case "edge":
            if let edge = value.int, (1...edges.count).contains(edge) {
                fault.edge = edge
            } else {
                note(value, "edge must be a number from 1 to edges.count, which is \(edges.count)")
            }
        case "path":
            if let text = value.string, !text.isEmpty {
                fault.path = text
            } else {
                note(value, "path must be a part of the request's path or query such as video-low/")
            }
        default:
            guard let parameter = FaultKind.Parameter(rawValue: name), fault.kind.parameters.contains(parameter) else {
                let allowed =
                    ["fault", "breaks", "share", "kinds", "from", "lasting", "path", "edge"]
                    + fault.kind.parameters.map(\.rawValue).sorted()
                note(key, Self.unknown("setting of \(fault.kind.name)", name, among: allowed))
                return
            }
            set(parameter, value, of: &fault)
        }
    }

    private mutating func set(_ parameter: FaultKind.Parameter, _ value: Node, of fault: inout PlannedFault) {
        switch parameter {
        case .status:
            if let status = value.int, (400...599).contains(status) {
                fault.status = status
            } else {
                note(value, "status must be a status code between 400 and 599")
            }
        case .delay:
            if let delay = Self.duration(value), delay > .zero, delay <= .seconds(3_600) {
                fault.delay = delay
            } else {
                note(value, "delay must be a time such as 250ms or 2s, at most 3600s")
            }
        case .shift:
            let limit = Duration.seconds(3_600)
            if let shift = Self.duration(value), shift != .zero, shift <= limit, shift >= .zero - limit {
                fault.shift = shift
            } else {
                note(value, "shift must be a time other than 0 such as -2s or 500ms, at most 3600s either way")
            }
        case .asset:
            if let asset = value.int, (0..<100).contains(asset) {
                fault.asset = asset
            } else {
                note(value, "asset must be a number from 0 to 99")
            }
        case .growth, .per: growth(parameter, value, of: &fault)
        case .to:
            switch value.string {
            case "same-origin": fault.redirection = .samePlace
            case "unauthorised-host": fault.redirection = .unauthorisedHost
            default: note(value, "to must be same-origin or unauthorised-host")
            }
        }
    }

    private mutating func growth(_ parameter: FaultKind.Parameter, _ value: Node, of fault: inout PlannedFault) {
        if parameter == .per {
            if let step = Self.duration(value), step >= .seconds(1), step <= .seconds(86_400) {
                fault.growthStep = step
            } else {
                note(value, "per must be a time such as 60s, from 1s to 86400s")
            }
            return
        }
        let text = value.string ?? ""
        if text.hasSuffix("%"), let percent = Double(text.dropLast()), percent > 0, percent <= 1_000 {
            fault.growth = percent / 100
        } else {
            note(value, "growth must be a percentage above 0 such as 2%, at most 1000%")
        }
    }

    /// A time from a break's start, or a length; at most a day.
    private mutating func window(_ value: Node, _ name: String, least: Duration) -> Duration? {
        guard let time = Self.duration(value), time >= least, time <= .seconds(86_400) else {
            note(value, "\(name) must be a time such as 4s\(least < .zero ? " or -2s" : ""), at most 86400s")
            return nil
        }
        return time
    }

    private mutating func breaks(_ value: Node) -> PlannedFault.Breaks {
        if value.string == "all" { return .all }
        if let sequence = value.sequence {
            let numbers = sequence.compactMap { $0.int }
            if numbers.count == sequence.count, !numbers.isEmpty, numbers.allSatisfy({ $0 > 0 }) {
                return .numbers(numbers)
            }
        }
        if let mapping = value.mapping, mapping.count == 1, let step = mapping["every"]?.int, step > 0 {
            return .every(step)
        }
        note(value, "breaks must be all, a list of numbers from 1 such as [2, 5], or {every: 3}")
        return .all
    }

    private mutating func share(_ value: Node) -> Double {
        let text = value.string ?? ""
        if text.hasSuffix("%"), let percent = Double(text.dropLast()), percent > 0, percent <= 100 {
            return percent / 100
        }
        note(value, "share must be a percentage above 0 and up to 100 such as 10%")
        return 1
    }

    private mutating func kinds(_ value: Node, of fault: FaultKind) -> [RequestKind] {
        guard let sequence = value.sequence, !sequence.isEmpty else {
            note(value, "kinds must be a list of request kinds")
            return []
        }
        let allowed = fault.kinds.map(\.name)
        return sequence.compactMap { node in
            let name = node.string ?? ""
            if let kind = RequestKind(name: name), fault.kinds.contains(kind) { return kind }
            note(node, Self.unknown("request kind for \(fault.name)", name, among: allowed))
            return nil
        }
    }

    private mutating func note(_ node: Node, _ message: String) {
        note(node.mark?.line ?? 1, message)
    }

    private mutating func note(_ line: Int, _ message: String) {
        mistakes.append(FaultPlanError.Mistake(line: line, message: message))
    }
}

extension FaultPlanReader {
    /// A time with its unit, `ms` or `s`, signed.
    private static func duration(_ node: Node) -> Duration? {
        let text = node.string ?? ""
        let (digits, scale) = text.hasSuffix("ms") ? (text.dropLast(2), 1.0) : (text.dropLast(), 1_000.0)
        guard text.hasSuffix("s"), let number = Double(digits), number.magnitude < 1e9 else { return nil }
        return .milliseconds(Int64((number * scale).rounded()))
    }

    private static func unknown(_ what: String, _ name: String, among allowed: [String]) -> String {
        let nearest = allowed.min { EditDistance.between($0, name) < EditDistance.between($1, name) }
        let hint = nearest.map { EditDistance.between($0, name) <= 3 ? " (did you mean \($0)?)" : "" } ?? ""
        return "unknown \(what) \"\(name)\"\(hint); allowed: \(allowed.joined(separator: ", "))"
    }

    private static func line(of error: any Error) -> Int {
        switch error as? YamlError {
        case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _): max(1, mark.line)
        default: 1
        }
    }

    private static func problem(of error: any Error) -> String {
        switch error as? YamlError {
        case .scanner(_, let problem, _, _), .parser(_, let problem, _, _), .composer(_, let problem, _, _): problem
        default: "it cannot be read"
        }
    }
}
