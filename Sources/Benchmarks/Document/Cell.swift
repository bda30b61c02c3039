struct Cell: Encodable {
    typealias Figures = [Subject: [Quantity: Double]]

    /// The figures of all subjects in one round, measured one after the other.
    struct Round: Encodable {
        let round: Int
        var figures: Figures = [:] {
            didSet { ratios = figures.ratios }
        }
        private(set) var ratios: Figures = [:]

        private enum CodingKeys: String, CodingKey {
            case round, figures
            case ratios = "podswarm_divided_by"
        }

        init(round: Int) { self.round = round }
    }

    let name: String
    private(set) var rounds: [Round] = []
    private(set) var medians: Figures = [:]
    /// Medians of the rounds' ratios: a ratio of medians would mix rounds.
    private(set) var medianRatios: Figures = [:]

    private enum CodingKeys: String, CodingKey {
        case name, rounds
        case medians = "median"
        case medianRatios = "median_podswarm_divided_by"
    }

    mutating func add(round: Int, _ subject: Subject, _ figures: [Quantity: Double]) {
        if rounds.last?.round != round { rounds.append(Round(round: round)) }
        rounds[rounds.count - 1].figures[subject, default: [:]].merge(figures) { $1 }
        medians = Self.medians(rounds.map(\.figures))
        medianRatios = Self.medians(rounds.map(\.ratios))
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
