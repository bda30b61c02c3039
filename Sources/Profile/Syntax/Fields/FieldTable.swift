package import Values

/// One list of fields for reading, messages, digests, the schema and the page of fields.
package protocol ProfileFields: Sendable {
    static var fields: FieldList<Self> { get }

    /// Derives values from other fields, and reports broken rules between them.
    mutating func settle(_ section: ProfileSection)
}

package struct FieldList<Section: ProfileFields>: Sendable {
    let usual: Section
    /// Shared schema definition, for a mapping that stands in several places.
    let definition: String?
    /// Whether a profile without the fields gets the defaults; else each player keeps its own values.
    let showsDefaults: Bool
    /// Schema keywords for the mapping as a whole.
    let conditions: [(name: String, value: SchemaNode)]
    let fill: @Sendable (inout FieldTable<Section>) -> Void

    package init(
        _ usual: Section,
        definition: String? = nil,
        showsDefaults: Bool = true,
        conditions: [(name: String, value: SchemaNode)] = [],
        _ fill: @escaping @Sendable (inout FieldTable<Section>) -> Void
    ) {
        (self.usual, self.definition, self.showsDefaults) = (usual, definition, showsDefaults)
        (self.conditions, self.fill) = (conditions, fill)
    }
}

extension ProfileFields {
    package static var usual: Self { fields.usual }
    /// Every field with those below it.
    package static var entries: [FieldEntry] { FieldTable<Self>().entries }
    package mutating func settle(_ section: ProfileSection) {}

    package init(reading section: ProfileSection, over standing: Self) {
        self = standing
        FieldTable<Self>(section.reading).read(section, into: &self)
        settle(section)
    }

    /// With `shorthand`, that field's value alone is allowed too.
    package static func schema(orOnly shorthand: String? = nil) -> SchemaNode {
        let table = FieldTable<Self>()
        let whole = fields.conditions.reduce(table.schema) { $0.with($1.name, $1.value) }
        guard let field = table.rows.first(where: { $0.name == shorthand }),
            !table.rows.contains(where: { $0.isRequired && $0.name != shorthand })
        else { return whole }
        return .oneOf([field.schema(), whole])
    }
}

package struct FieldMarks: OptionSet, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let required = FieldMarks(rawValue: 1)
    /// Digests omit its default: a field added in a later version.
    package static let unlessUsual = FieldMarks(rawValue: 2)
    /// May differ between comparable runs: the workload's digest omits it.
    package static let free = FieldMarks(rawValue: 4)
    /// Digests omit it, as it has no influence on a run or its verdict.
    package static let undigested = FieldMarks(rawValue: 8)
    /// The workload's digest contains only this URL's scheme: TLS costs client and server alike.
    package static let scheme = FieldMarks(rawValue: 16)
    /// Sets other fields, and is not a fact by itself.
    package static let short = FieldMarks(rawValue: 32)
    /// The default follows from other fields.
    package static let derived = FieldMarks(rawValue: 64)
    /// Separate lines of the digest contain it.
    package static let apart = FieldMarks(rawValue: 128)
    /// Digests contain whether it is given, not its value.
    package static let presence = FieldMarks(rawValue: 256)
}

package struct FieldFact<Section> {
    package let path: String
    /// In a profile's spelling; unset facts are words such as `connection` and `never`.
    package let text: (Section) -> String
}

/// Fields of one mapping, in the order of reading and digests.
package struct FieldTable<Section: ProfileFields> {
    package struct Row {
        var name = ""
        /// Type of the mapping that the field is of.
        var owner = "\(Section.self)"
        var allowed = ""
        var marks: FieldMarks = []
        var usual: String?
        var limits: String?
        var definition: String?
        var entries: () -> [FieldEntry] = { [] }
        var isRequired: Bool { marks.contains(.required) }
        var meaning: String { FieldTexts.all["\(owner).\(name)"] ?? "" }
        var schema: () -> SchemaNode = { .members([]) }
        var facts: () -> [FieldFact<Section>] = { [] }
        var read: (ProfileSection, inout Section) -> Void = { _, _ in }
        var addLines: (Section, String, inout CanonicalForm) -> Void = { _, _, _ in }
    }

    /// Nil unless a profile is being read.
    package let reading: ProfileReading?
    private(set) var rows: [Row] = []

    package init(_ reading: ProfileReading? = nil) {
        self.init(empty: reading)
        Section.fields.fill(&self)
    }

    private init(empty reading: ProfileReading?) { self.reading = reading }

    package var traits: [String]? { reading?.traits }

    package mutating func add<Value: Equatable>(
        _ name: String,
        _ path: WritableKeyPath<Section, Value>,
        _ rule: FieldRule<Value>,
        _ marks: FieldMarks = []
    ) { add(name, path, rule, marks, value: { $0 }, stored: { $0 }) }

    /// `none` is the text of the unset fact.
    package mutating func add<Value: Equatable>(
        _ name: String,
        _ path: WritableKeyPath<Section, Value?>,
        _ rule: FieldRule<Value>,
        _ marks: FieldMarks = [],
        or none: String = "-"
    ) { add(name, path, rule, marks, or: none, value: { $0 }, stored: { $0 }) }

    package mutating func add<Value: Equatable>(
        _ name: String,
        _ path: WritableKeyPath<Section, Value>,
        _ rule: ScalarRule<Value>,
        _ marks: FieldMarks = []
    ) { add(name, path, FieldRule(rule), marks) }

    package mutating func add<Value: Equatable>(
        _ name: String,
        _ path: WritableKeyPath<Section, Value?>,
        _ rule: ScalarRule<Value>,
        _ marks: FieldMarks = [],
        or none: String = "-"
    ) { add(name, path, FieldRule(rule), marks, or: none) }

    /// `value` is nil for an unset field, whose fact has the text `none`.
    private mutating func add<Value, Stored: Equatable>(
        _ name: String,
        _ path: WritableKeyPath<Section, Stored>,
        _ rule: FieldRule<Value>,
        _ marks: FieldMarks,
        or none: String = "",
        value: @escaping (Stored) -> Value?,
        stored: @escaping (Value) -> Stored
    ) {
        let usual = Section.usual[keyPath: path]
        let hasUsual = marks.isDisjoint(with: [.required, .derived])
        let spelled = hasUsual ? value(usual).flatMap { rule.spell?($0) }.flatMap { $0.isEmpty ? nil : $0 } : nil
        add(
            name,
            allowed: rule.allowed,
            schema: rule.schema().withDefault(Section.fields.showsDefaults ? spelled : nil),
            marks,
            entries: rule.entries,
            read: { section, whole in
                let found = rule.read(section, name, value(whole[keyPath: path]))
                if let found { whole[keyPath: path] = stored(found) }
            },
            addLines: { whole, field, form in
                let own = whole[keyPath: path]
                guard let given = value(own), !marks.contains(.unlessUsual) || own != usual else { return }
                guard marks.contains(.scheme), form.extent == .workload, let url = rule.spell?(given) else {
                    return rule.addLines(given, field, &form)
                }
                form.add(field, url.prefix { $0 != ":" }.lowercased())
            }
        )
        let row = rows.count - 1
        rows[row].usual = Section.fields.showsDefaults || !hasUsual ? spelled : "the player's"
        (rows[row].limits, rows[row].definition) = (rule.limits, rule.definition)
        guard !marks.contains(.short) else { return }
        rows[row].facts = {
            if let spell = rule.spell { return [FieldFact(path: name) { value($0[keyPath: path]).map(spell) ?? none }] }
            return rule.facts().map { fact in
                FieldFact(path: "\(name).\(fact.path)") { value($0[keyPath: path]).map(fact.text) ?? none }
            }
        }
    }

    /// `read` stores the value itself.
    package mutating func add(
        _ name: String,
        allowed: String = "",
        schema: @escaping @autoclosure () -> SchemaNode = .members([]),
        _ marks: FieldMarks = [],
        entries: @escaping () -> [FieldEntry] = { [] },
        read: @escaping (ProfileSection, inout Section) -> Void,
        addLines: @escaping (Section, String, inout CanonicalForm) -> Void = { _, _, _ in }
    ) {
        var row = Row(name: name, allowed: allowed)
        row.marks = marks
        row.entries = entries
        row.schema = schema
        row.read = read
        row.addLines = { whole, path, form in
            guard marks.isDisjoint(with: [.undigested, .apart]), !marks.contains(.free) || form.extent == .plan
            else { return }
            addLines(whole, path.isEmpty ? name : "\(path).\(name)", &form)
        }
        rows.append(row)
    }

    /// Adds digest lines that belong to no single field.
    package mutating func digest(_ addLines: @escaping (Section, String, inout CanonicalForm) -> Void) {
        rows.append(Row(addLines: addLines))
    }

    /// Nested mapping whose values the section itself stores.
    package mutating func group(_ name: String, _ fields: (inout FieldTable) -> Void) {
        var inner = FieldTable(empty: reading)
        fields(&inner)
        let table = inner
        add(
            name,
            schema: table.schema,
            entries: { table.entries },
            read: { section, whole in section.section(name) { table.read($0, into: &whole) } },
            addLines: { table.addLines(of: $0, at: $1, to: &$2) }
        )
    }

    /// Adds a part's fields as the section's own; `digestPath` replaces the section's path in digests; nil keeps it.
    package mutating func include<Part: ProfileFields>(
        _ path: WritableKeyPath<Section, Part>,
        digestPath: String? = nil,
        requiring required: [String] = []
    ) {
        for row in FieldTable<Part>(reading).rows {
            var own = Row(name: row.name, owner: row.owner, allowed: row.allowed, schema: row.schema)
            own.marks = required.contains(row.name) ? row.marks.union(.required) : row.marks
            (own.usual, own.limits, own.definition, own.entries) = (row.usual, row.limits, row.definition, row.entries)
            own.facts = { row.facts().map { fact in FieldFact(path: fact.path) { fact.text($0[keyPath: path]) } } }
            own.read = { row.read($0, &$1[keyPath: path]) }
            own.addLines = { row.addLines($0[keyPath: path], digestPath ?? $1, &$2) }
            rows.append(own)
        }
    }

    func read(_ section: ProfileSection, into whole: inout Section) {
        for row in rows {
            if row.isRequired, section.isPresent, !section.has(row.name) {
                section.reportMissing(row.name, allowed: row.allowed)
            }
            row.read(section, &whole)
        }
        section.reportUnknownFields()
    }

    func addLines(of section: Section, at path: String, to form: inout CanonicalForm) {
        for row in rows { row.addLines(section, path, &form) }
    }

    package var facts: [FieldFact<Section>] { rows.flatMap { $0.facts() } }

    /// Every named field, each before those below it.
    package var entries: [FieldEntry] {
        rows.filter { !$0.name.isEmpty }.flatMap { row in
            let own = FieldEntry(
                path: row.name,
                kind: row.schema().kind,
                usual: row.usual,
                allowed: row.limits ?? row.allowed,
                meaning: row.meaning,
                isRequired: row.isRequired,
                comparison: FieldEntry.Comparison(row.marks),
                definition: row.definition
            )
            return [own] + row.entries().map { $0.below(own) }
        }
    }

    package var schema: SchemaNode {
        let fields = rows.filter { !$0.name.isEmpty }
        let required = fields.filter(\.isRequired).map(\.name)
        return SchemaNode.type("object")
            .with("additionalProperties", .boolean(false))
            .with("required", required.isEmpty ? nil : .list(required.map { .text($0) }))
            .with("properties", .members(fields.map { ($0.name, $0.schema().with("description", .text($0.meaning))) }))
    }
}

extension SchemaNode {
    /// A default of this kind as JSON has it.
    fileprivate func withDefault(_ text: String?) -> SchemaNode {
        guard let text, case .members(let members) = self else { return self }
        guard case .text(let type)? = members.first(where: { $0.name == "type" })?.value,
            ["boolean", "integer", "number"].contains(type)
        else { return with("default", .text(text)) }
        return with("default", .number(text))
    }
}

/// Lines of a digest, one per value; texts are quoted, so that no value can imitate another line.
///
/// Any change of this form changes every digest, hence the version in the title.
package struct CanonicalForm {
    package enum Extent: Sendable {
        /// Everything that affects a run or its verdict.
        case plan
        /// Without the target; comparable runs have equal workload digests.
        case workload
    }

    package let extent: Extent
    package private(set) var lines: [String]

    package init(_ extent: Extent, title: String) {
        self.extent = extent
        lines = [title]
    }

    package mutating func add(_ field: String, _ value: String?) {
        guard let value else { return }
        lines.append("\(field)=\(value.debugDescription)")
    }

    package mutating func add(_ field: String, _ value: Duration?) {
        add(field, value.map { String($0.nanosecondsHeld) })
    }

    package mutating func add(_ field: String, _ values: [String]) { for value in values { add(field, value) } }

    package mutating func add(_ field: String, _ values: [String: String]) {
        for (key, value) in values.sorted(by: { $0.key < $1.key }) { add("\(field).\(key.debugDescription)", value) }
    }

    mutating func add<Part: ProfileFields>(_ path: String, fieldsOf part: Part) {
        FieldTable().addLines(of: part, at: path, to: &self)
    }
}
