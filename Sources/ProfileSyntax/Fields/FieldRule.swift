/// How a field of any kind is read, digested and described.
package struct FieldRule<Value> {
    /// What may stand there, for a field that is missing.
    package var allowed: String
    package var schema: () -> SchemaNode
    /// The value as a profile spells it; nil for what is no single value.
    package var spell: ((Value) -> String)?
    /// The facts of a mapping, each by its path in it.
    var facts: () -> [FieldFact<Value>] = { [] }
    /// Adds the lines of a digest under a path.
    package var addLines: (Value, String, inout CanonicalForm) -> Void
    /// Nil for a field that is absent or wrong, which then is reported.
    ///
    /// The last argument is the value that stands where the profile says nothing; nil where that is none.
    package var read: (ProfileSection, String, Value?) -> Value?

    package init(
        allowed: String,
        schema: @escaping @autoclosure () -> SchemaNode,
        spell: ((Value) -> String)? = nil,
        addLines: @escaping (Value, String, inout CanonicalForm) -> Void = { _, _, _ in },
        read: @escaping (ProfileSection, String, Value?) -> Value?
    ) {
        self.allowed = allowed
        self.schema = schema
        self.spell = spell
        self.addLines = addLines
        self.read = read
    }

    package init(_ rule: ScalarRule<Value>) {
        self.init(
            allowed: rule.allowed,
            schema: rule.schema,
            spell: rule.spell,
            addLines: { $2.add($1, rule.line($0)) },
            read: { section, key, _ in section.value(key, rule) }
        )
    }

    func addLines(of value: Value, at path: String, _ marks: FieldMarks, to form: inout CanonicalForm) {
        guard marks.contains(.scheme), form.extent == .workload, let url = spell?(value) else {
            return addLines(value, path, &form)
        }
        form.add(path, url.prefix { $0 != ":" }.lowercased())
    }

    /// The same field held as another type.
    package func map<Other>(
        spell: ((Other) -> String)? = nil,
        _ convert: @escaping (Value) -> Other,
        from back: @escaping (Other) -> Value
    ) -> FieldRule<Other> {
        FieldRule<Other>(
            allowed: allowed,
            schema: schema(),
            spell: spell,
            addLines: { addLines(back($0), $1, &$2) },
            read: { section, key, _ in read(section, key, nil).map(convert) }
        )
    }
}

/// How the items of a list stand in a digest.
package enum ListLines: Sendable {
    case apart
    case sortedApart
    /// In one line, and in none where the list is empty.
    case together
}

extension FieldRule {
    /// A list of single values.
    ///
    /// - Parameters:
    ///   - rule: What an item may be.
    ///   - lines: How items stand in a digest.
    ///   - least: How many must be there.
    ///   - isLoose: Whether a single value counts as a list of one.
    /// - Returns: The rule.
    package static func list<Element>(
        of rule: ScalarRule<Element>,
        _ lines: ListLines = .apart,
        least: Int = 0,
        isLoose: Bool = false
    ) -> FieldRule where Value == [Element] {
        FieldRule(
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
    }
}

extension FieldRule where Value: ProfileFields {
    /// A mapping with fields of its own.
    package static var section: FieldRule { section() }

    /// - Parameters:
    ///   - shorthand: The field that a single value in place of the mapping is taken for.
    ///   - allowed: What may stand there, where it must.
    ///   - isMeant: Whether a mapping that is there says anything.
    /// - Returns: The rule.
    package static func section(
        shorthand: String? = nil,
        allowed: String = "a mapping",
        where isMeant: @escaping (Value) -> Bool = { _ in true }
    ) -> FieldRule {
        var rule = FieldRule(
            allowed: allowed,
            schema: Value.definition.map(SchemaNode.reference) ?? Value.schema(orOnly: shorthand),
            addLines: { FieldTable<Value>().addLines(of: $0, at: $1, to: &$2) },
            read: { section, key, standing in
                section.section(key, shorthand: shorthand) { child in
                    guard child.isPresent || standing != nil else { return nil }
                    let value = Value(reading: child, over: standing ?? .usual)
                    return isMeant(value) ? value : nil
                }
            }
        )
        rule.facts = { FieldTable<Value>().facts }
        return rule
    }

    /// A list of mappings.
    ///
    /// - Parameters:
    ///   - shorthand: The field that a single value in place of a mapping is taken for.
    ///   - least: How many must be there.
    ///   - needed: A field without which an item is left out; nil takes every item.
    /// - Returns: The rule.
    package static func sections(shorthand: String, least: Int = 0, needing needed: String? = nil) -> FieldRule<[Value]>
    {
        FieldRule<[Value]>(
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
    }
}

extension FieldRule<String> {
    /// A file, as the profile names it.
    package static var file: FieldRule {
        FieldRule(
            allowed: "the path of a file",
            schema: .reference("text"),
            addLines: { $2.add($1, $0) },
            read: {
                section,
                key,
                _ in section.file(key)?.written
            }
        )
    }

    /// A file by its whole path, of whose folder no digest knows.
    package static var resolvedFile: FieldRule {
        FieldRule(
            allowed: "the path of a file",
            schema: .reference("text"),
            addLines: { path, field, form in form.add(field, path.split(separator: "/").last.map(String.init) ?? "") },
            read: { section, key, _ in section.file(key)?.resolved }
        )
    }

    /// A key that is never printed.
    package static var secret: FieldRule {
        FieldRule(allowed: "a key", schema: .reference("text")) { section, key, _ in section.secret(key) }
    }
}
