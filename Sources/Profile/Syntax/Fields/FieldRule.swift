package import Values

package struct FieldRule<Value> {
    /// Named in the message about a missing field.
    package var allowed: String
    package var schema: () -> SchemaNode
    /// Nil for a kind without a single value.
    package var spell: ((Value) -> String)?
    /// `allowed` without the kind of value; nil means `allowed`.
    package var limits: String?
    /// Mapping with the same fields at several places.
    var definition: String?
    /// Paths are relative to the field.
    var entries: () -> [FieldEntry] = { [] }
    /// Paths are relative to the mapping.
    var facts: () -> [FieldFact<Value>] = { [] }
    package var addLines: (Value, String, inout CanonicalForm) -> Void
    /// Nil for an absent or invalid field, of which the latter is reported; the last argument is the default.
    package var read: (ProfileSection, String, Value?) -> Value?

    package init(
        allowed: String,
        schema: @escaping @autoclosure () -> SchemaNode,
        spell: ((Value) -> String)? = nil,
        addLines: @escaping (Value, String, inout CanonicalForm) -> Void = { _, _, _ in },
        read: @escaping (ProfileSection, String, Value?) -> Value?
    ) { (self.allowed, self.schema, self.spell, self.addLines, self.read) = (allowed, schema, spell, addLines, read) }

    package init(_ rule: ScalarRule<Value>) {
        self.init(
            allowed: rule.allowed,
            schema: rule.schema,
            spell: rule.spell,
            addLines: { $2.add($1, rule.line($0)) },
            read: { section, key, _ in section.value(key, rule) }
        )
        limits = rule.limits
    }

    package func map<Other>(
        spell: ((Other) -> String)? = nil,
        _ convert: @escaping (Value) -> Other,
        from back: @escaping (Other) -> Value
    ) -> FieldRule<Other> {
        var other = FieldRule<Other>(
            allowed: allowed,
            schema: schema(),
            spell: spell,
            addLines: { addLines(back($0), $1, &$2) },
            read: { section, key, _ in read(section, key, nil).map(convert) }
        )
        (other.limits, other.definition, other.entries) = (limits, definition, entries)
        return other
    }

    /// `isLoose` accepts a single value as a list of one.
    package static func list<Element>(
        of rule: ScalarRule<Element>,
        _ lines: ListLines = .apart,
        least: Int = 0,
        isLoose: Bool = false
    ) -> FieldRule where Value == [Element] {
        var list = FieldRule(
            allowed: rule.allowed,
            schema: SchemaNode.list(of: rule.schema).with("minItems", least > 0 ? .number("\(least)") : nil),
            addLines: { values, path, form in
                let texts = values.map(rule.line)
                switch lines {
                case .apart: form.add(path, texts)
                case .sortedApart: form.add(path, texts.sorted())
                case .together: form.add(path, texts.isEmpty ? nil : texts.joined(separator: ", "))
                }
            },
            read: { section, key, _ in section.list(key, of: rule, isLoose: isLoose)?.map(\.value) }
        )
        list.limits = rule.limits
        return list
    }
}

package enum ListLines: Sendable {
    case apart, sortedApart
    /// One line for all items, none for an empty list.
    case together
}

extension FieldRule where Value: ProfileFields {
    package static var section: FieldRule { section() }

    /// With `shorthand`, a single value stands for that field; a mapping that fails `isMeant` counts as absent.
    package static func section(
        shorthand: String? = nil,
        allowed: String = "a mapping",
        where isMeant: @escaping (Value) -> Bool = { _ in true }
    ) -> FieldRule {
        var rule = FieldRule(
            allowed: allowed,
            schema: Value.fields.definition.map(SchemaNode.reference) ?? Value.schema(orOnly: shorthand),
            addLines: { $2.add($1, fieldsOf: $0) },
            read: { section, key, standing in
                section.section(key, shorthand: shorthand) { child in
                    guard child.isPresent || standing != nil else { return nil }
                    let value = Value(reading: child, over: standing ?? .usual)
                    return isMeant(value) ? value : nil
                }
            }
        )
        rule.facts = { FieldTable<Value>().facts }
        (rule.definition, rule.entries) = (Value.fields.definition, { Value.entries })
        return rule
    }

    /// A single value in place of a mapping stands for the field `shorthand`.
    ///
    /// Items without the field `needed` are left out.
    package static func sections(shorthand: String, least: Int = 0, needing needed: String? = nil) -> FieldRule<[Value]>
    {
        var list = FieldRule<[Value]>(
            allowed: "a list",
            schema: SchemaNode.list(of: Value.schema(orOnly: shorthand)).with(
                "minItems",
                least > 0 ? .number("\(least)") : nil
            ),
            read: { section, key, _ in
                section.sections(key, shorthand: shorthand) { item -> Value? in
                    let value = Value(reading: item, over: .usual)
                    let isWhole = needed.map { item.has($0) && item.reading.isSound(item.fieldPath($0)) } ?? true
                    return isWhole ? value : nil
                }.compactMap(\.self)
            }
        )
        list.entries = { Value.entries }
        return list
    }
}

extension FieldRule<String> {
    /// The path as written.
    package static var file: FieldRule {
        FieldRule(
            allowed: "the path of a file",
            schema: .reference("text"),
            addLines: { $2.add($1, $0) },
            read: { section, key, _ in section.file(key)?.written }
        )
    }

    /// A digest contains only the last component.
    package static var resolvedFile: FieldRule {
        FieldRule(
            allowed: "the path of a file",
            schema: .reference("text"),
            addLines: { path, field, form in form.add(field, path.split(separator: "/").last.map(String.init) ?? "") },
            read: { section, key, _ in section.file(key)?.resolved }
        )
    }

    package static var secret: FieldRule {
        FieldRule(allowed: "a key", schema: .reference("text")) { section, key, _ in section.secret(key) }
    }
}
