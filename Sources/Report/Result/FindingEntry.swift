import Results

/// In the order of a reader's questions.
struct FindingEntry {
    /// Each with the expected and the observed text.
    var places: [Block?]
    var meaning: Words
    var causes: [String]
    /// Forms that show the causes.
    var forms = Forms.all
    var whereToLook: String?
    var rule: String
    /// Documents of the rule, for pages.
    var sources: [Words] = []

    var blocks: [Block?] {
        let written = sources.isEmpty ? [] : [Fact("written in", sources.joined(separator: "; "))]
        return places + [
            .paragraph(meaning, .claim),
            .facts(causes.map { Fact("likely", Words($0)) }, limit: Limits(markdown: 5)).only(forms),
            .facts(whereToLook.map { [Fact("look at", Words($0))] } ?? []), .facts([Fact("rule", Words(rule))]),
            .facts(written).only(.page),
        ]
    }

    static func sighting(_ expected: String, _ observed: String, _ place: [Fact], _ more: [Block?]) -> Entries.Entry {
        .init("expected: \(code: expected)", [.facts([Fact("observed", .code(observed))] + place)] + more)
    }
}

struct LikelyCauses {
    /// Causes that its sightings name, each once.
    private(set) var own: [String] = []
    /// Whether some sighting names no cause.
    private var isOpen = false

    private static let limit = 3

    init(_ sightings: some Sequence<String?>) {
        for cause in sightings {
            guard let cause else {
                isOpen = true
                continue
            }
            if !own.contains(cause), own.count < Self.limit { own.append(cause) }
        }
    }

    /// Causes of the code follow if a sighting names none.
    func all(of code: [String]) -> [String] { own + (isOpen || own.isEmpty ? code : []) }
}

extension FindingResult {
    var causes: LikelyCauses {
        LikelyCauses(occurrences.lazy.flatMap { [$0.first, $0.last].compactMap(\.self) }.map(\.likely))
    }
}
