package import Values

package struct AudiencePlan: Sendable, Equatable, ProfileFields {
    package var viewers = 1
    package var ramp = Duration.seconds(10)
    package var churnPerMinute = 0.0
    package var pictureInPicture = PictureInPicturePlan()
    package var personas: [PersonaShare] = []
    package var traits: [AudienceTrait] = []
    package var skips: NavigationPlan? = nil
    package var seeks: NavigationPlan? = nil
    package var curve: CurvePlan? = nil
    package var abandonment: AbandonmentPlan? = nil

    package static let usual = AudiencePlan()
    package static let conditions: [(name: String, value: SchemaNode)] = [
        ("not", .having("curve", "ramp")), ("anyOf", .list([.having("viewers"), .having("file")])),
    ]

    package static func fields(_ f: inout FieldTable<Self>) {
        f.add(
            "file",
            "A YAML file with fields of an audience, as `podswarm audience` writes it; those written here come before its "
                + "own.",
            schema: .reference("text"),
            .undigested,
            read: { section, _ in section.addFields(ofFile: "file") }
        )
        f["viewers", \.viewers, viewerCount, .derived] = "Size of the audience."
        f["ramp", \.ramp, .duration(.zero ... .seconds(86_400))] = "Joins are spread evenly over this long."
        f["churnPerMinute", \.churnPerMinute, .share] =
            "Share of the audience that leaves and is replaced each minute."
        f["pictureInPicture", \.pictureInPicture, .section] = "Viewers that spend time where no ad can start."
        f.add(
            "personas",
            "The players that watch, by share; left out, every viewer plays as `playback` says.",
            schema: PersonaEntry.listSchema,
            notes: FieldNotes { FieldTable<PersonaEntry>().entries },
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
            "What tells viewers apart besides their players; `{name}` stands for a viewer's value in what it sends.",
            schema: TraitEntry.listSchema,
            notes: FieldNotes { FieldTable<TraitEntry>().entries },
            read: { section, audience in
                audience.traits = TraitEntry.list(reading: section, at: "traits", personas: audience.personas)
                section.reading.note(audience.traits, at: section.fieldPath("traits"))
            },
            addLines: { audience, path, form in
                for trait in audience.traits { form.add("\(path).\(trait.name)", trait.source.canonicalText) }
            }
        )
        f["skips", \.skips, .section(where: { $0.share > 0 })] = "Viewers that try to leave an interstitial early."
        f["seeks", \.seeks, .seeks] = "Viewers that seek back in the live window."
        f["curve", \.curve, .section(shorthand: "shape")] =
            "How many watch over time, in place of ramp: the name of a shape, or a mapping with a shape and its parameters "
            + "or with points."
        f["abandonment", \.abandonment, .section] =
            "What viewers do when their player shows nothing; left out, they wait, and a player that gives up is started again at "
            + "once."
    }

    package mutating func settle(_ section: ProfileSection) {
        if section.has("curve"), !section.has("ramp") { ramp = .zero }
        guard section.isPresent, !section.has("viewers") else { return }
        section.reportMissing("viewers", allowed: Self.viewerCount.allowed)
    }

    private static var viewerCount: ScalarRule<Int> { .integer(1...1_000_000) }
}

/// A share of viewers that skip or seek.
package struct NavigationPlan: Sendable, Equatable {
    package var share = 0.0
    package var every = Duration.seconds(60)
    /// Zero for skips.
    package var distance = Duration.zero
}

extension NavigationPlan: ProfileFields {
    package static let usual = NavigationPlan()

    package static func fields(_ f: inout FieldTable<Self>) {
        f["share", \.share, .share, .required] = "Share of viewers that try."
        f["every", \.every, .duration(.seconds(1) ... .seconds(86_400))] = "Mean time between two attempts."
        f.digest { $2.add("\($1).distance", $0.distance) }
    }
}

private struct SeekFields: ProfileFields {
    static let usual = SeekFields(navigation: NavigationPlan(distance: .seconds(10)))

    var navigation: NavigationPlan

    static func fields(_ f: inout FieldTable<Self>) {
        f.include(\.navigation)
        f["distance", \.navigation.distance, .duration(.seconds(1) ... .seconds(3600)), .apart] = "How far back."
    }
}

extension FieldRule<NavigationPlan> {
    fileprivate static var seeks: FieldRule {
        FieldRule<SeekFields>.section(where: { $0.navigation.share > 0 })
            .map({ $0.navigation }, from: { SeekFields(navigation: $0) })
    }
}

/// IMA picture-in-picture guide: no ad can start there.
package struct PictureInPicturePlan: Sendable, Equatable {
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
}

extension PictureInPicturePlan: ProfileFields {
    package static let usual = PictureInPicturePlan()
    package static let conditions: [(name: String, value: SchemaNode)] = [
        ("dependentRequired", .dependent(["every", "stay", "rule"].map { ($0, "share") }))
    ]

    package static func fields(_ f: inout FieldTable<Self>) {
        f["share", \.share, .share] = "Share of viewers that use picture in picture."
        f["every", \.every, .duration(.seconds(1) ... .seconds(86_400))] = "Mean time between entries."
        f["stay", \.stay, .duration(.seconds(1) ... .seconds(86_400))] = "How long each stay lasts."
        f["rule", \.rule, .choice, .apart] =
            "What becomes of a break that begins meanwhile: lost, or begun when the viewer returns before it is over."
        f.digest { plan, path, form in
            // Without viewers in picture in picture, digests contain the first version's default.
            form.add("\(path).rule", (plan.share > 0 ? plan.rule : .deferred).rawValue)
        }
    }
}

/// Behaviour of viewers whose player shows nothing.
package struct AbandonmentPlan: Sendable, Equatable {
    package var afterStall = Duration.seconds(20)
    package var afterStop = Duration.seconds(5)
    package var reopenShare = 0.0
    package var reopenAfter = Duration.seconds(10)
}

extension AbandonmentPlan: ProfileFields {
    package static let usual = AbandonmentPlan()

    package static func fields(_ f: inout FieldTable<Self>) {
        let patience = ScalarRule<Duration>.duration(.milliseconds(100) ... .seconds(86_400))
        f["afterStall", \.afterStall, patience] =
            "How long they look at a picture that stands still, or does not come, before they close the application."
        f["afterStop", \.afterStop, patience] = "How long they look at a player that has given up."
        f.group("reopen", "Viewers that open it again.") {
            $0["share", \.reopenShare, .share, .required] = "Share of those who close it."
            $0["after", \.reopenAfter, patience] =
                "Mean time until they do; each waits between half and one and a half times as long."
        }
    }
}

extension ProfileSection {
    /// Reports mistakes with that file's own name and lines.
    func addFields(ofFile key: String) {
        guard let (_, path) = file(key), reading.isSound(fieldPath(key)) else { return }
        do throws(ProfileProblem) {
            guard let root = try Self.tree(ofFile: path, reading.surroundings) else {
                throw ProfileProblem(location: .named(file: path, line: 1, column: 1), message: "the file is empty")
            }
            guard case .mapping(let entries) = root.content else {
                throw ProfileProblem(location: root.location, message: "\(root.kind) where a mapping is needed")
            }
            if let nested = entries.first(where: { $0.key == key }) {
                let message = "a file that a profile names cannot name another"
                throw ProfileProblem(location: nested.keyLocation, message: message)
            }
            add(entries)
        } catch {
            reading.report(error, at: fieldPath(key))
        }
    }

    private static func tree(ofFile path: String, _ surroundings: ProfileSurroundings) throws(ProfileProblem)
        -> ProfileNode?
    {
        let start = ProfileLocation.named(file: path, line: 1, column: 1)
        // One byte over the limit, so that the parser reports the excess.
        guard let bytes = surroundings.contents(path, ProfileTree.largestText + 1) else {
            throw ProfileProblem(location: start, message: "cannot be read")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ProfileProblem(location: start, message: "the text is not UTF-8")
        }
        return try YAMLText.parse(text, at: { .named(file: path, line: $0, column: $1) })
    }
}
