import Rules
import Values

extension FieldRule<[PlannedThreshold]> {
    static var thresholds: FieldRule { rule(allowed: "a list of thresholds") }

    static var conditions: FieldRule {
        rule(allowed: "a list of conditions that end the run, such as \"playlist.errors > 20%\"")
    }

    private static func rule(allowed: String) -> FieldRule {
        FieldRule(
            allowed: allowed,
            schema: SchemaNode.list(of: SchemaNode.type("string").with("minLength", .number("1")))
                .with("uniqueItems", .boolean(true)),
            addLines: { $2.add($1, $0.map(\.rule.text).sorted()) },
            read: { section, key, _ in [PlannedThreshold](reading: section, at: key) }
        )
    }
}

extension [PlannedThreshold] {
    /// Reads a list of thresholds; invalid ones are reported and left out.
    init(reading section: ProfileSection, at key: String) {
        var seen: Set<String> = []
        let texts = section.list(key, of: .text("a threshold such as \"breaks.on_time >= 99.9%\"")) ?? []
        self = texts.compactMap { text, field in
            section.reading.rule(field, isBroken: !seen.insert(text).inserted) {
                "\"\(ShownValue.of(text))\" stands twice"
            }
            return PlannedThreshold(text, field: field, reading: section.reading)
        }
    }
}

extension PlannedThreshold {
    fileprivate init?(_ text: String, field: String, reading: ProfileReading) {
        // The search for the name that was meant takes time, and serves only problems that are printed.
        guard !reading.isFull else { return nil }
        do throws(ThresholdError) {
            let line = reading.location(of: field).line ?? 0
            self.init(rule: try ThresholdRule(parsing: text), line: line, field: field)
        } catch {
            reading.report(
                ProfileProblem(
                    location: reading.location(of: field),
                    field: field,
                    value: ShownValue.of(text),
                    message: "\"\(ShownValue.of(text))\": \(error)"
                )
            )
            return nil
        }
    }
}
