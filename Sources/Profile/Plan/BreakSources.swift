import Values

extension BreakPlan {
    /// Source of the viewer's own breaks.
    package enum Source: Sendable, Equatable {
        /// Each whole multiple of `interval` of wall-clock time, plus `offset`.
        case every(interval: Duration, offset: Duration)
        /// The guide's rule. With `repeats`, a viewer clicks again when its break is over.
        case guideMinute(repeats: Bool)
        case list([ListedBreak])
        /// Nil selects ranges with SCTE35-OUT.
        case dateRange(classAttribute: String?)
        case trigger(TriggerPlan)
        /// At least two, merged by start.
        indirect case several([Source])
        /// Only breaks that the channel schedules.
        case none

        package var each: [Source] {
            switch self {
            case .several(let sources): sources
            case .none: []
            case .every, .guideMinute, .list, .dateRange, .trigger: [self]
            }
        }

        package init(_ each: [Source]) {
            switch each.count {
            case 0: self = .none
            case 1: self = each[0]
            default: self = .several(each)
            }
        }

        package var isDateRange: Bool { if case .dateRange = self { true } else { false } }

        package var readsDateRanges: Bool { each.contains(where: \.isDateRange) }

        package var triggerPlan: TriggerPlan? {
            for case .trigger(let plan) in each { return plan }
            return nil
        }

        var listed: [ListedBreak] { if case .list(let listed) = self { listed } else { [] } }

        package var ownDurations: [Duration] { each.flatMap(\.listed).compactMap(\.duration) }
    }
}

package struct ListedBreak: Sendable, Equatable, ProfileFields {
    package var at: Duration
    package var duration: Duration?
    package var scte35: String?

    package init(_ at: Duration = .zero, duration: Duration? = nil, scte35: String? = nil) {
        (self.at, self.duration, self.scte35) = (at, duration, scte35)
    }

    package static let fields = FieldList(ListedBreak()) { f in
        f.add("at", \.at, .duration(.zero ... .seconds(2_592_000)), .required)
        f.add("duration", \.duration, .duration(.seconds(1) ... .seconds(3600)))
        f.add("scte35", \.scte35, .scte35)
    }
}

struct SourceFields: ProfileFields {
    static let names = ["every", "guideMinute", "list", "dateRange", "trigger"]
    static let shorthands = ["guideMinute", "dateRange"]

    var every: Duration? = nil
    var offset: Duration? = nil
    var repeats = false
    var list: [ListedBreak]? = nil
    var classAttribute: String? = nil
    var trigger: TriggerPlan? = nil

    static let fields = FieldList(
        SourceFields(),
        conditions: [
            ("oneOf", .list(names.map { .having($0) })), ("dependentRequired", .dependent([("offset", "every")])),
        ]
    ) { f in
        f.add("every", \.every, .duration(.seconds(1) ... .seconds(86_400)))
        f.add("offset", \.offset, .duration(.zero ... .seconds(86_400)))
        f.group("guideMinute") { $0.add("repeats", \.repeats, .boolean) }
        f.add("list", \.list, FieldRule<ListedBreak>.sections(shorthand: "at", least: 1, needing: "at"))
        f.group("dateRange") { $0.add("class", \.classAttribute, .text()) }
        f.add("trigger", \.trigger, .section)
    }

    func settle(_ section: ProfileSection) {
        section["offset", if: offset != nil && every == nil] = "an offset belongs to every alone"
    }
}

extension BreakPlan.Source {
    static let mostSources = 16

    static var schema: SchemaNode {
        let one = [SchemaNode.choice(SourceFields.shorthands), SourceFields.schema()]
        let several = SchemaNode.list(of: .oneOf(one)).with("minItems", .number("1"))
        return .oneOf(one + [several.with("maxItems", .number("\(mostSources)"))])
    }

    /// Optional where the channel announces breaks itself.
    init(reading section: ProfileSection, at key: String, mayBeAbsent: Bool) {
        let each: [Self] = section.eachOf(
            key,
            mayBeAbsent: mayBeAbsent,
            shorthands: SourceFields.shorthands,
            alternatives: SourceFields.names
        ) { source in
            let fields = SourceFields(reading: source, over: .usual)
            if source.has("list") { return .list(fields.list ?? []) }
            if source.has("guideMinute") { return .guideMinute(repeats: fields.repeats) }
            if source.has("dateRange") { return .dateRange(classAttribute: fields.classAttribute) }
            if source.has("trigger") { return .trigger(fields.trigger ?? .usual) }
            guard source.isPresent || !mayBeAbsent else { return .none }
            return .every(interval: fields.every ?? .seconds(86_400), offset: fields.offset ?? .zero)
        }
        self.init(each)
    }

    func addLines(at path: String, to form: inout CanonicalForm) {
        switch self {
        case .every(let interval, let offset):
            form.add("\(path).every", interval)
            form.add("\(path).offset", offset)
        case .guideMinute(let repeats): form.add("\(path).guideMinute.repeats", String(repeats))
        case .list(let listed):
            for one in listed {
                form.add("\(path).list", one.at)
                form.add("\(path).list.duration", one.duration)
                form.add("\(path).list.scte35", one.scte35)
            }
        case .dateRange(let classAttribute): form.add("\(path).dateRange", classAttribute ?? "")
        case .trigger(let trigger): form.add("\(path).trigger", fieldsOf: trigger)
        case .several(let several): for source in several { source.addLines(at: path, to: &form) }
        case .none: form.add(path, "none")
        }
    }
}
