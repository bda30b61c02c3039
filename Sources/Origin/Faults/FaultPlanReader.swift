/// Reads a fault plan: a YAML list of faults, or a mapping with that list under `faults` and perhaps `edges` beside it.
struct FaultPlanReader {
    private var edges = EdgePlan()

    /// The plan that a text describes, or every mistake in it.
    static func read(_ text: String, seed: UInt64) throws(PlanError) -> FaultPlan {
        var reader = FaultPlanReader()
        let mistakes = PlanMistakes()
        let faults = PlanNode(yaml: text, mistakes: mistakes).map { reader.faults(in: $0) } ?? []
        try mistakes.throwAll()
        return FaultPlan(faults, edges: reader.edges, seed: seed)
    }

    private mutating func faults(in root: PlanNode) -> [PlannedFault] {
        var list = root
        if root.entries != nil {
            root.refuseUnknownKeys(allowed: ["faults", "edges"])
            if let value = root["edges"] { edges(in: value) }
            guard let value = root["faults"] else { return [] }
            list = value
        }
        guard let faults = list.list else {
            list.note("faults must be a list")
            return []
        }
        return faults.compactMap { fault(in: $0) }
    }

    private mutating func edges(in node: PlanNode) {
        guard let entries = node.entries else {
            node.note("edges must be a mapping such as {count: 3, assignment: viewer}")
            return
        }
        for (key, value) in entries {
            switch key.string {
            case "count":
                if let count = value.int, (1...EdgePlan.most).contains(count) {
                    edges.count = count
                } else {
                    value.note("count must be a number from 1 to \(EdgePlan.most)")
                }
            case "assignment":
                if let assignment = value.string.flatMap(EdgePlan.Assignment.init(rawValue:)) {
                    edges.assignment = assignment
                } else {
                    value.note("assignment must be viewer or request")
                }
            default:
                key.noteUnknown("key of edges", among: ["count", "assignment"])
            }
        }
    }

    private mutating func fault(in node: PlanNode) -> PlannedFault? {
        guard let entries = node.entries else {
            node.note("a fault must be a mapping such as {fault: delay, delay: 2s}")
            return nil
        }
        guard let nameNode = node["fault"], let name = nameNode.string else {
            node.note("a fault must say which one it is: fault: \(FaultKind.all.map(\.name).joined(separator: ", "))")
            return nil
        }
        guard let kind = FaultKind.all.first(where: { $0.name == name }) else {
            nameNode.noteUnknown("fault", among: FaultKind.all.map(\.name))
            return nil
        }
        var fault = PlannedFault(kind)
        for (key, value) in entries {
            setting(key, value, of: &fault)
        }
        for parameter in kind.required.sorted(by: { $0.rawValue < $1.rawValue })
        where node[parameter.rawValue] == nil {
            nameNode.note("\(name) needs \(parameter.rawValue)")
        }
        return fault
    }

    private mutating func setting(_ key: PlanNode, _ value: PlanNode, of fault: inout PlannedFault) {
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
                value.note("edge must be a number from 1 to edges.count, which is \(edges.count)")
            }
        case "path":
            if let text = value.string, !text.isEmpty {
                fault.path = text
            } else {
                value.note("path must be a part of the request's path or query such as video-low/")
            }
        default:
            guard let parameter = FaultKind.Parameter(rawValue: name), fault.kind.parameters.contains(parameter) else {
                let allowed =
                    ["fault", "breaks", "share", "kinds", "from", "lasting", "path", "edge"]
                    + fault.kind.parameters.map(\.rawValue).sorted()
                key.noteUnknown("setting of \(fault.kind.name)", among: allowed)
                return
            }
            set(parameter, value, of: &fault)
        }
    }

    private mutating func set(_ parameter: FaultKind.Parameter, _ value: PlanNode, of fault: inout PlannedFault) {
        switch parameter {
        case .status:
            if let status = value.int, (400...599).contains(status) {
                fault.status = status
            } else {
                value.note("status must be a status code between 400 and 599")
            }
        case .delay:
            if let delay = value.duration, delay > .zero, delay <= .seconds(3_600) {
                fault.delay = delay
            } else {
                value.note("delay must be a time such as 250ms or 2s, at most 3600s")
            }
        case .shift:
            let limit = Duration.seconds(3_600)
            if let shift = value.duration, shift != .zero, shift <= limit,
                shift >= .zero - limit
            {
                fault.shift = shift
            } else {
                value.note("shift must be a time other than 0 such as -2s or 500ms, at most 3600s either way")
            }
        case .asset:
            if let asset = value.int, (0..<100).contains(asset) {
                fault.asset = asset
            } else {
                value.note("asset must be a number from 0 to 99")
            }
        case .piece:
            if let piece = value.string.flatMap(ForeignStreamIDFault.Piece.init(rawValue:)) {
                fault.piece = piece
            } else {
                value.note("piece must be query or path")
            }
        case .signatures:
            if let word = value.string, ["fresh", "kept"].contains(word) {
                fault.keepsSignatures = word == "kept"
            } else {
                value.note("signatures must be fresh or kept")
            }
        case .growth, .per: growth(parameter, value, of: &fault)
        case .to:
            switch value.string {
            case "same-origin": fault.redirection = .samePlace
            case "unauthorised-host": fault.redirection = .unauthorisedHost
            default: value.note("to must be same-origin or unauthorised-host")
            }
        }
    }

    private mutating func growth(_ parameter: FaultKind.Parameter, _ value: PlanNode, of fault: inout PlannedFault) {
        if parameter == .per {
            if let step = value.duration, step >= .seconds(1),
                step <= .seconds(86_400)
            {
                fault.growthStep = step
            } else {
                value.note("per must be a time such as 60s, from 1s to 86400s")
            }
            return
        }
        if let growth = value.percentage, growth > 0, growth <= 10 {
            fault.growth = growth
        } else {
            value.note("growth must be a percentage above 0 such as 2%, at most 1000%")
        }
    }

    /// A time from a break's start, or a length; at most a day.
    private mutating func window(_ value: PlanNode, _ name: String, least: Duration) -> Duration? {
        guard let time = value.duration, time >= least, time <= .seconds(86_400)
        else {
            value.note("\(name) must be a time such as 4s\(least < .zero ? " or -2s" : ""), at most 86400s")
            return nil
        }
        return time
    }

    private mutating func breaks(_ value: PlanNode) -> PlannedFault.Breaks {
        if value.string == "all" { return .all }
        if let sequence = value.list {
            let numbers = sequence.compactMap(\.int)
            if numbers.count == sequence.count, !numbers.isEmpty, numbers.allSatisfy({ $0 > 0 }) {
                return .numbers(numbers)
            }
        }
        if value.entries?.count == 1, let step = value["every"]?.int, step > 0 {
            return .every(step)
        }
        value.note("breaks must be all, a list of numbers from 1 such as [2, 5], or {every: 3}")
        return .all
    }

    private mutating func share(_ value: PlanNode) -> Double {
        if let share = value.percentage, share > 0, share <= 1 { return share }
        value.note("share must be a percentage above 0 and up to 100 such as 10%")
        return 1
    }

    private mutating func kinds(_ value: PlanNode, of fault: FaultKind) -> [RequestKind] {
        guard let sequence = value.list, !sequence.isEmpty else {
            value.note("kinds must be a list of request kinds")
            return []
        }
        let allowed = fault.kinds.map(\.name)
        return sequence.compactMap { node in
            let name = node.string ?? ""
            if let kind = RequestKind(name: name), fault.kinds.contains(kind) { return kind }
            node.noteUnknown("request kind for \(fault.name)", among: allowed)
            return nil
        }
    }
}
