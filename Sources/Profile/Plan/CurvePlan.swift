import Values

/// Number of viewers over time, for profiles with more than a ramp.
package struct CurvePlan: Sendable, Equatable, ProfileFields {
    /// Regions with time zones of their own.
    package struct Regions: Sendable, Equatable {
        package var trait: String
        /// Zero for a region without an entry.
        package var offsets: [String: Duration]
    }

    package var shape: CurveShape? = nil
    var parameters = CurveParameters()
    /// In order of time; the highest is the whole audience.
    package var points: [CurvePoint] = []
    package var regions: Regions? = nil
    package var breakLeaves: BreakLeaves? = nil

    mutating func shapePoints(over run: Duration) { if let shape { points = shape.points(parameters, over: run) } }

    package static let fields = FieldList(
        CurvePlan(),
        conditions: [
            ("oneOf", .list([.having("shape"), .having("points")])),
            ("dependentRequired", .dependent([("by", "offsets"), ("offsets", "by")])),
        ]
    ) { f in
        f.add("shape", \.shape, .choice, .apart)
        f.include(\.parameters)
        f.add("points", \.points, FieldRule<CurvePoint>.sections(shorthand: "at", least: 1), .apart)
        f.digest { curve, path, form in
            let points = curve.points.map { "\($0.at.nanosecondsHeld): \($0.share)" }
            form.add("\(path).points", points.joined(separator: ", "))
        }
        f.add(
            "by",
            schema: .type("string"),
            read: { section, curve in
                let trait = section.value("by", region(section.reading.cohortTraits))
                curve.regions = trait.map { Regions(trait: $0, offsets: [:]) }
            },
            addLines: { $2.add($1, $0.regions?.trait) }
        )
        f.add(
            "offsets",
            schema: .mapping(to: .reference("duration")),
            read: { section, curve in
                let offsets = section.dictionary("offsets", of: .duration(.zero ... .seconds(86_400)))
                curve.regions?.offsets = Dictionary(offsets.map { ($0.key, $0.value) }) { first, _ in first }
            },
            addLines: { $2.add($1, $0.regions?.offsets.mapValues { String($0.nanosecondsHeld) } ?? [:]) }
        )
        f.add("leaves", \.breakLeaves, .section(where: { $0.share > 0 }))
    }

    package mutating func settle(_ section: ProfileSection) {
        settleRegions(section)
        let (hasShape, hasPoints) = (section.has("shape"), section.has("points"))
        section.reading[section.path, if: section.isPresent && hasShape == hasPoints] =
            (hasShape ? "has a shape and points" : "has neither a shape nor points")
            + "; allowed: the name of a shape, or a mapping with one of shape and points"
        for name in FieldTable<CurveParameters>().facts.map(\.path) where section.has(name) {
            if let shape {
                section[name, if: !shape.parameters.contains(name)] =
                    "has no effect on the shape \(shape.rawValue); "
                    + "allowed: \(shape.parameters.joined(separator: ", "))"
            } else {
                section[name, "shape", if: true] = "has no effect without a shape"
            }
        }
        section["left", "fall", if: shape == .plateau && section.has("left") && !section.has("fall")] =
            "has no effect without fall"
    }

    /// Any name where the traits are unknown (nil).
    private static func region(_ names: [String]?) -> ScalarRule<String> {
        guard let names, !names.isEmpty else {
            let rule = ScalarRule.text("a trait of audience.traits with few and plain values", schema: .type("string"))
            return names == nil ? rule : rule.refusing { _ in "is not a trait" }
        }
        return .name(among: names, else: "is not a trait")
    }

    private func settleRegions(_ section: ProfileSection) {
        section["by", if: section.has("by") && !section.has("offsets")] = "has no effect without offsets"
        section["offsets", if: section.has("offsets") && !section.has("by")] =
            "needs by, the trait whose values they are of"
        guard let regions, let cohorts = section.reading.cohorts else { return }
        let values = cohorts.first { $0.name == regions.trait }?.values() ?? []
        for value in regions.offsets.keys.sorted() {
            section["offsets.\(ShownValue.of(value))", "by", if: !values.contains(value)] =
                "is not a value of the trait \(regions.trait); allowed: \(values.joined(separator: ", "))"
        }
    }
}

extension CurvePlan {
    package init(shape: CurveShape? = nil, points: [CurvePoint] = []) { (self.shape, self.points) = (shape, points) }
}

extension CurveParameters: ProfileFields {
    /// Digests contain the points made from these parameters.
    package static let fields = FieldList(CurveParameters()) { f in
        let time = ScalarRule<Duration>.partOfRun
        let allowed = "a percentage from 0.1% to 100% or a number from 0.001 to 1"
        let step = ScalarRule<Double>.share.refusing(allowed: allowed) { $0 < 0.001 ? "is not in range" : nil }
        f.add("before", \.before, .share, .apart)
        f.add("join", \.join, time, .apart)
        f.add("at", \.at, time, .apart)
        f.add("rise", \.rise, time, .apart)
        f.add("hold", \.hold, time, .apart)
        f.add("fall", \.fall, time, .apart)
        f.add("left", \.left, .share, .apart)
        f.add("step", \.step, step, .apart)
        f.add("every", \.every, time, .apart)
    }
}

extension CurvePoint: ProfileFields {
    package static let fields = FieldList(CurvePoint(at: .zero, share: 1)) { f in
        f.add("at", \.at, .partOfRun, .required)
        f.add("share", \.share, .share, .required)
    }
}

/// Viewers that leave during ads, and the share of them that returns.
package struct BreakLeaves: Sendable, Equatable, ProfileFields {
    /// Loss of television in a break (Danaher, "What Happens to Television Ratings During Commercial Breaks?", Journal of
    /// Advertising Research, 1995).
    package var share = 0.05
    /// No published figure; Google observed of television that most viewers leave at the start.
    package var within = Duration.seconds(10)
    /// As many as before after about two minutes (Google TV Ads, 2009).
    package var returns = 1.0
    package var returnsWithin = Duration.seconds(120)
    package var instants: [Duration]? = nil

    package static let fields = FieldList(BreakLeaves()) { f in
        f.add("share", \.share, .share)
        f.add("within", \.within, .partOfRun)
        f.add("returns", \.returns, .share)
        f.add("returnsWithin", \.returnsWithin, .partOfRun)
        f.add("at", \.instants, .list(of: .partOfRun, least: 1))
    }
}

extension ScalarRule<Duration> {
    fileprivate static var partOfRun: ScalarRule { duration(.zero ... .seconds(2_592_000)) }
}

extension AudiencePlan {
    package var points: [CurvePoint] {
        curve?.points ?? [CurvePoint(at: .zero, share: 0), CurvePoint(at: ramp, share: 1)]
    }
}
