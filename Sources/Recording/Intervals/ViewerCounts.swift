package import Rules
import Values

package struct ViewerCounts: Summable, Equatable, Sendable {
    private var counts = [UInt64](repeating: 0, count: ViewerCounter.allCases.count)
    /// Always `PersonaTallies.limit` elements; personas past the last are counted with it.
    package private(set) var byPersona = [UInt64](repeating: 0, count: PersonaTallies.limit)

    package init() {}

    package init(_ counts: KeyValuePairs<ViewerCounter, UInt64>) {
        for (counter, count) in counts { self[counter] = count }
    }

    package subscript(_ counter: ViewerCounter) -> UInt64 {
        get { counts[Int(counter.rawValue)] }
        set { counts[Int(counter.rawValue)] = newValue }
    }

    package mutating func countViewer(persona: Int) { byPersona[min(persona, PersonaTallies.limit - 1)] &+= 1 }

    package mutating func add(_ other: ViewerCounts) {
        for index in counts.indices { counts[index] &+= other.counts[index] }
        for index in byPersona.indices { byPersona[index] &+= other.byPersona[index] }
    }

    package var byName: [String: UInt64] {
        ViewerCounter.allCases.reduce(into: [:]) { if self[$1] > 0 { $0[$1.name] = self[$1] } }
    }

    /// Viewers that joined, each once: one that opened the application again is not counted again.
    package var people: UInt64 { self[.joined] &- min(self[.joined], self[.reopened]) }
}

extension ViewerCounts: Codable, EmptyWhereMissing {
    private struct Written: Codable {
        var counts: [String: UInt64]
        var personas: [UInt64]
    }

    package init(from decoder: any Decoder) throws {
        let written = try Written(from: decoder)
        for (name, count) in written.counts {
            guard let counter = ViewerCounter(name: name) else { throw Self.unknown(name, decoder) }
            self[counter] = count
        }
        guard written.personas.count <= byPersona.count, (written.personas + counts).allSatisfy({ $0 < 1 << 48 }) else {
            throw Self.unknown("no counts", decoder)
        }
        byPersona.replaceSubrange(..<written.personas.count, with: written.personas)
    }

    private static func unknown(_ text: String, _ decoder: any Decoder) -> DecodingError {
        .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
    }

    package func encode(to encoder: any Encoder) throws {
        let personas = byPersona.prefix((byPersona.lastIndex { $0 > 0 } ?? -1) + 1)
        try Written(counts: byName, personas: Array(personas)).encode(to: encoder)
    }
}
