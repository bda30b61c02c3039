import Profile
import Values

struct RenditionsPlan: Sendable, Equatable, ProfileFields {
    static let usual = RenditionsPlan()

    var audio: [String] = []
    var subtitles: [String] = []

    static func fields(_ f: inout FieldTable<Self>) {
        f["audio", \.audio, .list(of: .language, isLoose: true)] =
            "Languages of audio renditions; with any, the variants have no sound of their own."
        f["subtitles", \.subtitles, .list(of: .language, isLoose: true)] =
            "Languages of subtitles, as WebVTT."
    }

    func settle(_ section: ProfileSection) {
        for (key, words) in [("audio", audio), ("subtitles", subtitles)] {
            section.reading.rule(
                section.fieldPath(key),
                isBroken: words.count > 8 || Set(words).count < words.count,
                message: "must be a list of at most 8 different languages such as [en, es]"
            )
        }
    }
}

extension ScalarRule<String> {
    fileprivate static var language: ScalarRule {
        text("a language such as en").refusing { word in
            (2...8).contains(word.utf8.count) && word.utf8.allSatisfy { $0.isUnreserved }
                ? nil : "is not a language"
        }
    }
}
