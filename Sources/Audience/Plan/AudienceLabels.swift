package import LoadProfile

/// Which values of the audience's labels each viewer has: by share, and the same for a number in every run of one seed.
package struct AudienceLabels: Sendable {
    private let labels: [AudienceLabel]
    private let seed: UInt64

    package init(_ labels: [AudienceLabel], seed: UInt64) {
        self.labels = labels
        self.seed = seed
    }

    /// Whether the profile gives none.
    package var isEmpty: Bool { labels.isEmpty }

    /// A viewer's values, by the labels' names.
    package func values(ofViewer number: Int) -> [String: String] {
        guard !labels.isEmpty else { return [:] }
        // One source of chance for all: a label that is added behind others changes none of them.
        var chance = ViewerChance(seed: seed &+ 0x4C41_4245, viewer: number)
        return Dictionary(
            labels.map { ($0.name, $0.value(at: chance.unit())) },
            uniquingKeysWith: { first, _ in first }
        )
    }
}

extension AudienceLabel {
    /// The value at a place in 0 ..< 1, where each has as much room as its share.
    fileprivate func value(at place: Double) -> String {
        var rest = place * values.reduce(0) { $0 + $1.share }
        for value in values {
            rest -= value.share
            if rest < 0 { return value.text }
        }
        return values.last?.text ?? ""
    }
}
