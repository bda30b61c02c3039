import Curves
import ProfileSyntax
import Wording

extension CurvePlan {
    /// Reads how many watch over time; nil where the profile leaves it to the ramp.
    ///
    /// - Parameters:
    ///   - audience: The section that it stands in.
    ///   - key: Its field: the name of a shape, or a mapping.
    ///   - traits: Those of the audience.
    ///   - run: How long the run lasts.
    init?(reading audience: ProfileSection, at key: String, traits: [AudienceTrait], over run: Duration) {
        let curve = audience.section(key, shorthand: "shape") { section -> CurvePlan? in
            let shape: CurveShape? = section.value("shape", .choice)
            let parameters = CurveParameters(reading: section)
            let points = section.sections("points", shorthand: "at") { CurvePoint(reading: $0) }
            let regions = Regions(reading: section, traits: traits)
            let breakLeaves = section.section("leaves") { BreakLeaves(reading: $0) }
            Self.judge(section, shape)
            guard section.isPresent else { return nil }
            return CurvePlan(
                shape: shape,
                points: shape?.points(parameters, over: run) ?? points,
                regions: regions,
                breakLeaves: breakLeaves
            )
        }
        guard let curve else { return nil }
        self = curve
    }

    private static func judge(_ section: ProfileSection, _ shape: CurveShape?) {
        let both = section.has("shape") && section.has("points")
        section.reading.rule(
            section.path,
            isBroken: section.isPresent && section.has("shape") == section.has("points"),
            message: both ? "has a shape and points" : "has neither a shape nor points",
            allowed: "the name of a shape, or a mapping with one of shape and points"
        )
        for name in CurveParameters.Name.allCases where section.has(name.rawValue) {
            let field = section.fieldPath(name.rawValue)
            if let shape {
                let known = shape.parameters.map(\.rawValue)
                section.reading.rule(
                    field,
                    isBroken: !known.contains(name.rawValue),
                    message: "has no effect on the shape \(shape.rawValue)",
                    allowed: known.joined(separator: ", ")
                )
            } else {
                section.reading.rule(
                    field,
                    section.fieldPath("shape"),
                    isBroken: true,
                    message: "has no effect without a shape"
                )
            }
        }
        section.reading.rule(
            section.fieldPath("left"),
            section.fieldPath("fall"),
            isBroken: shape == .plateau && section.has("left") && !section.has("fall"),
            message: "has no effect without fall"
        )
    }
}

extension CurveParameters {
    fileprivate init(reading section: ProfileSection) {
        self.init()
        func value<Value>(_ name: Name, _ rule: ScalarRule<Value>) -> Value? { section.value(name.rawValue, rule) }
        before = value(.before, .share)
        join = value(.join, .partOfRun)
        at = value(.at, .partOfRun)
        rise = value(.rise, .partOfRun)
        hold = value(.hold, .partOfRun)
        fall = value(.fall, .partOfRun)
        left = value(.left, .share)
        step = value(.step, .stepShare)
        every = value(.every, .partOfRun)
    }
}

extension CurvePoint {
    fileprivate init(reading section: ProfileSection) {
        self.init(
            at: section.required("at", .partOfRun) ?? .zero,
            share: section.required("share", .share) ?? 1
        )
    }
}

extension CurvePlan.Regions {
    fileprivate init?(reading section: ProfileSection, traits: [AudienceTrait]) {
        let known = section.reading.cohortTraits
        let trait = section.value("by", .region(known))
        let offsets = section.dictionary("offsets", of: .duration(.zero ... .seconds(86_400)))
        let (by, field) = (section.fieldPath("by"), section.fieldPath("offsets"))
        section.reading.rule(
            by,
            isBroken: section.has("by") && !section.has("offsets"),
            message: "has no effect without offsets"
        )
        section.reading.rule(
            field,
            isBroken: section.has("offsets") && !section.has("by"),
            message: "needs by, the trait whose values they are of"
        )
        guard let trait else { return nil }
        let values = traits.first { $0.name == trait }?.cohortValues ?? []
        for (value, _) in offsets where known != nil {
            section.reading.rule(
                "\(field).\(ShownValue.of(value))",
                by,
                isBroken: !values.contains(value),
                message: "is no value of the trait \(trait)",
                allowed: values.joined(separator: ", ")
            )
        }
        self.init(trait: trait, offsets: Dictionary(offsets.map { ($0.key, $0.value) }) { first, _ in first })
    }
}

extension BreakLeaves {
    /// Reads who goes away when ads come; nil where nobody does.
    fileprivate init?(reading section: ProfileSection) {
        self.init(
            share: section.value("share", .share) ?? Self.usualShare,
            within: section.value("within", .partOfRun) ?? Self.usualWithin,
            returns: section.value("returns", .share) ?? Self.usualReturns,
            returnsWithin: section.value("returnsWithin", .partOfRun) ?? Self.usualReturnsWithin,
            instants: section.list("at", of: .partOfRun)?.map(\.value)
        )
        guard section.isPresent, share > 0 else { return nil }
    }
}

extension ScalarRule<Double> {
    fileprivate static var stepShare: ScalarRule {
        share.refusing(allowed: "a percentage from 0.1% to 100% or a number from 0.001 to 1") { share in
            share < 0.001 ? "is not in range" : nil
        }
    }
}

extension ScalarRule<Duration> {
    fileprivate static var partOfRun: ScalarRule { duration(.zero ... .seconds(2_592_000)) }
}

extension ScalarRule<String> {
    /// A trait of the audience that has few values; any where they are not known (nil).
    fileprivate static func region(_ names: [String]?) -> ScalarRule {
        guard let names, !names.isEmpty else {
            let rule = text("a trait of audience.traits with few and plain values")
            return names == nil ? rule : rule.refusing { _ in "is no trait" }
        }
        return ScalarRule(shape: .text, allowed: names.joined(separator: ", ")) { text in
            names.contains(text)
                ? .value(text) : .refused("is no trait", suggestion: NearestName.slip(text, among: names))
        }
    }
}
