struct Cell: Encodable {
    typealias Figures = [Subject: [Quantity: Double]]

    /// The figures of all subjects in one round, measured one after the other.
    struct Round: Encodable {
        let round: Int
        var figures: Figures = [:]
        var ratios: Figures { figures.ratios }

        private enum CodingKeys: String, CodingKey {
            case round, figures
            case ratios = "podswarm_divided_by"
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(round, forKey: .round)
            try container.encode(figures, forKey: .figures)
            try container.encode(ratios, forKey: .ratios)
        }
    }

    let name: String
    private(set) var rounds: [Round] = []

    private enum CodingKeys: String, CodingKey {
        case name, rounds
        case medians = "median"
        case medianRatios = "median_podswarm_divided_by"
    }

    var medians: Figures { Self.medians(rounds.map(\.figures)) }

    /// Medians of the rounds' ratios: a ratio of medians would mix rounds.
    var medianRatios: Figures { Self.medians(rounds.map(\.ratios)) }

    mutating func add(round: Int, _ subject: Subject, _ figures: [Quantity: Double]) {
        if rounds.last?.round != round { rounds.append(Round(round: round)) }
        rounds[rounds.count - 1].figures[subject, default: [:]].merge(figures) { $1 }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(rounds, forKey: .rounds)
        try container.encode(medians, forKey: .medians)
        try container.encode(medianRatios, forKey: .medianRatios)
    }

    private static func medians(_ rounds: [Figures]) -> Figures {
        var values: [Subject: [Quantity: [Double]]] = [:]
        for (subject, figures) in rounds.joined() {
            for (quantity, value) in figures { values[subject, default: [:]][quantity, default: []].append(value) }
        }
        return values.mapValues { $0.compactMapValues(\.median) }
    }
}

extension Cell.Figures {
    fileprivate var ratios: Cell.Figures {
        guard let own = self[.podswarm] else { return [:] }
        return filter { $0.key != .podswarm }
            .mapValues { figures in
                figures.compactMap { quantity, figure in
                    own[quantity].flatMap { figure > 0 ? (quantity, $0 / figure) : nil }
                }
                .reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            .filter { !$0.value.isEmpty }
    }
}

extension Cell {
    /// Polls that leave in slots; their lateness counts from the slot's instant.
    static let inSlots = "HTTP in slots"
}
