import Values

package struct AudiencePlan: Sendable, Equatable, ProfileFields {
    package var viewers = 1
    package var ramp = Duration.seconds(10)
    package var churnPerMinute = 0.0
    package var pictureInPicture = PictureInPicturePlan()
    package var personas: [PersonaShare] = []
    package var traits: [AudienceTrait] = []
    package var bandwidth: ViewerBandwidth? = nil
    package var skips: NavigationPlan? = nil
    package var seeks: NavigationPlan? = nil
    package var curve: CurvePlan? = nil
    package var abandonment: AbandonmentPlan? = nil

    package static let fields = FieldList(AudiencePlan(), conditions: [("not", .having("curve", "ramp"))]) { f in
        f.add("viewers", \.viewers, .integer(1...1_000_000), .required)
        f.add("ramp", \.ramp, .duration(.zero ... .seconds(86_400)))
        f.add("churnPerMinute", \.churnPerMinute, .share)
        f.add("pictureInPicture", \.pictureInPicture, .section)
        f.add(
            "personas",
            schema: PersonaEntry.listSchema,
            entries: { PersonaEntry.entries },
            read: { $1.personas = PersonaEntry.list(reading: $0, at: "personas") },
            addLines: { audience, path, form in
                for (index, part) in audience.personas.enumerated() {
                    form.add("\(path)[\(index)].name", part.persona.name)
                    form.add("\(path)[\(index)].share", String(part.share))
                    for fact in part.persona.digestedFacts { form.add("\(path)[\(index)].\(fact.path)", fact.text) }
                }
            }
        )
        f.add(
            "traits",
            schema: TraitEntry.listSchema,
            entries: { TraitEntry.entries },
            read: { section, audience in
                audience.traits = TraitEntry.list(reading: section, at: "traits", personas: audience.personas)
                section.reading.note(audience.traits, at: section.fieldPath("traits"))
            },
            addLines: { audience, path, form in
                for trait in audience.traits { form.add("\(path).\(trait.name)", trait.source.canonicalText) }
            }
        )
        f.add("bandwidth", \.bandwidth, .bandwidth(f.reading))
        let skips = FieldRule<SkipFields>.section(where: { $0.navigation.share > 0 })
        f.add("skips", \.skips, skips.map({ $0.navigation }, from: { SkipFields(navigation: $0) }))
        let seeks = FieldRule<SeekFields>.section(where: { $0.navigation.share > 0 })
        f.add("seeks", \.seeks, seeks.map({ $0.navigation }, from: { SeekFields(navigation: $0) }))
        f.add("curve", \.curve, .section(shorthand: "shape"))
        f.add("abandonment", \.abandonment, .section)
    }

    package mutating func settle(_ section: ProfileSection) {
        if section.has("curve"), !section.has("ramp") { ramp = .zero }
        // Again, because an unknown field of the audience may be the misspelt traits.
        section.reading.note(traits, at: section.fieldPath("traits"))
    }
}

/// Rate of a viewer's line to the network: of all viewers, or the viewer's value of a trait.
package enum ViewerBandwidth: Sendable, Equatable {
    case bitsPerSecond(Int64)
    case trait(String)
}

extension ScalarRule<ViewerBandwidth> {
    /// Any name where the traits are unknown (nil); without a reading, rates alone.
    static func bandwidth(_ reading: ProfileReading? = nil) -> ScalarRule {
        let (least, most) = (Int64(1_000), Int64(100_000_000_000))
        let bounds = "\(RateText.of(least)) to \(RateText.of(most))"
        let rates = "a rate with a unit, such as 6 Mbit/s, from \(bounds)"
        return ScalarRule(
            allowed: reading == nil ? rates : rates + ", or a trait of audience.traits",
            limits: "\(bounds), or a trait",
            spell: { bandwidth in
                switch bandwidth {
                case .bitsPerSecond(let rate): RateText.of(rate)
                case .trait(let name): name
                }
            },
            read: { text in
                if text.first?.isLetter == true, let names = reading.map(\.traits) {
                    let isKnown = names?.contains(text) ?? true
                    let nearest = NearestName.slip(text, among: names ?? [])
                    return isKnown ? .value(.trait(text)) : .refused("is not a trait", suggestion: nearest)
                }
                guard let rate = RateText.bitsPerSecond(text) else {
                    return .refused(QuantityText.isNumber(text) ? "has no unit" : "is not a rate")
                }
                return least...most ~= rate ? .value(.bitsPerSecond(rate)) : .refused("is not in range")
            }
        )
    }
}

/// A share of viewers that skip or seek.
package struct NavigationPlan: Sendable, Equatable, ProfileFields {
    package var share = 0.0
    package var every = Duration.seconds(60)
    /// Zero for skips.
    package var distance = Duration.zero
    /// Nil for viewers that leave what they skip.
    package var rate: Int? = nil

    package static let fields = FieldList(NavigationPlan()) { f in
        f.add("share", \.share, .share, .required)
        f.add("every", \.every, .duration(.seconds(1) ... .seconds(86_400)))
        f.digest { $2.add("\($1).distance", $0.distance) }
    }
}

private struct SkipFields: ProfileFields {
    var navigation: NavigationPlan

    static let fields = FieldList(SkipFields(navigation: NavigationPlan())) { f in
        f.include(\.navigation)
        f.add("rate", \.navigation.rate, .integer(2...64))
    }
}

private struct SeekFields: ProfileFields {
    var navigation: NavigationPlan

    static let fields = FieldList(SeekFields(navigation: NavigationPlan(distance: .seconds(10)))) { f in
        f.include(\.navigation)
        f.add("distance", \.navigation.distance, .duration(.seconds(1) ... .seconds(3600)), .apart)
    }
}

/// IMA picture-in-picture guide: no ad can start there.
package struct PictureInPicturePlan: Sendable, Equatable, ProfileFields {
    package enum BreakRule: String, Sendable, CaseIterable {
        /// The break starts, if still on, when the viewer returns to standard playback.
        case deferred = "defer"
        /// As in the code of the IMA picture-in-picture guide.
        case lost = "lose"
    }

    package var share = 0.0
    package var every = Duration.seconds(60)
    package var stay = Duration.seconds(15)
    package var rule = BreakRule.lost

    package static let fields = FieldList(
        PictureInPicturePlan(),
        conditions: [("dependentRequired", .dependent(["every", "stay", "rule"].map { ($0, "share") }))]
    ) { f in
        f.add("share", \.share, .share)
        f.add("every", \.every, .duration(.seconds(1) ... .seconds(86_400)))
        f.add("stay", \.stay, .duration(.seconds(1) ... .seconds(86_400)))
        f.add("rule", \.rule, .choice, .apart)
        f.digest { plan, path, form in
            // Without viewers in picture in picture, digests contain the first version's default.
            form.add("\(path).rule", (plan.share > 0 ? plan.rule : .deferred).rawValue)
        }
    }

    package mutating func settle(_ section: ProfileSection) {
        section["stay", "every", if: stay >= every] =
            "a stay of \(stay.text) every \(every.text) leaves no standard playback; allowed: less than every"
        for key in ["every", "stay", "rule"] {
            section[key, "share", if: section.has(key) && !section.has("share")] =
                "has no effect without audience.pictureInPicture.share"
        }
    }
}

/// Behaviour of viewers whose player shows nothing.
package struct AbandonmentPlan: Sendable, Equatable, ProfileFields {
    package var afterStall = Duration.seconds(20)
    package var afterStop = Duration.seconds(5)
    package var reopenShare = 0.0
    package var reopenAfter = Duration.seconds(10)

    package static let fields = FieldList(AbandonmentPlan()) { f in
        let patience = ScalarRule<Duration>.duration(.milliseconds(100) ... .seconds(86_400))
        f.add("afterStall", \.afterStall, patience)
        f.add("afterStop", \.afterStop, patience)
        f.group("reopen") {
            $0.add("share", \.reopenShare, .share, .required)
            $0.add("after", \.reopenAfter, patience)
        }
    }
}
