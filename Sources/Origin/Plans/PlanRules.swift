import AdServing
import HLS
import Profile
import Values

extension ScalarRule<Duration> {
    static func signed(atMost most: Duration, least: Duration? = nil) -> ScalarRule {
        let least = least ?? .zero - most
        return ScalarRule(
            allowed:
                "a time such as 500ms or -2s, at most \(most.text)\(least == .zero - most ? " either way" : "")",
            schema: .type("string"),
            spell: \.text
        ) { text in
            guard let time = Duration(signedText: text) else { return .refused("is not a time") }
            return time >= least && time <= most ? .value(time) : .refused("is not in range")
        }
    }

    static func positive(_ most: Duration) -> ScalarRule { duration(.milliseconds(1)...most) }
}

extension ScalarRule<WallTime> {
    static var instant: ScalarRule {
        ScalarRule(
            allowed: "a date and time such as 2026-11-21T20:00:00Z",
            spell: { "\($0.microseconds)" },
            read: { text in
                WallTime(iso8601: text).map { .value($0) } ?? .refused("is not an instant")
            }
        )
    }
}

extension FieldRule {
    /// Accepts a single word, too.
    static func words<Word: RawRepresentable & CaseIterable>() -> FieldRule
    where Value == [Word], Word.RawValue == String { .list(of: .choice, isLoose: true) }
}

struct PlannedTimes: ProfileFields, Sendable, Equatable {
    var every: Duration?
    var offset = Duration.zero
    var at: [WallTime]?

    static let fields = FieldList(PlannedTimes()) { f in
        f.add("every", \.every, .duration(.seconds(1) ... .seconds(86_400)))
        f.add("offset", \.offset, .duration(.zero ... .seconds(86_400)))
        f.add("at", \.at, .list(of: .instant, isLoose: true))
    }

    func judge(_ section: ProfileSection, _ missing: String) {
        let isGiven = (every: section.has("every"), at: section.has("at"))
        section.reading[section.path, if: isGiven.every && isGiven.at] = "give every or at, not both"
        section.reading[section.path, if: !isGiven.every && !isGiven.at] = missing
    }

    func schedule(duration: Duration) -> BreakSchedule? {
        if let at { return every == nil ? .list(at.sorted(), duration: duration) : nil }
        return every.map {
            .every(interval: $0, epoch: WallTime(microseconds: 0), firstOffset: offset, duration: duration)
        }
    }
}
