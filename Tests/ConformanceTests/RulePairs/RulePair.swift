import Conformance
import Rulebook

/// A rule of the draft: a playlist that keeps it, the nearest that breaks it, and what is found in that one.
struct RulePair {
    /// Of draft-pantos-hls-rfc8216bis-22.
    let section: String
    /// What must or must not be, in short.
    let rule: String
    /// What the two say, where the rest of them is the same.
    let sound: String
    let broken: String
    let finding: String
    /// What is found in the sound and in the broken one.
    let found: (sound: [String], broken: [String])

    /// Two texts in one place of a playlist.
    init(
        _ section: String,
        _ rule: String,
        in body: String,
        at place: String,
        sound: String,
        broken: String,
        _ finding: String
    ) {
        self.init(
            section,
            rule,
            sound: sound,
            broken: broken,
            finding,
            (Bodies.codes(body.replacing(place, with: sound)), Bodies.codes(body.replacing(place, with: broken)))
        )
    }

    init(
        _ section: String,
        _ rule: String,
        sound: String,
        broken: String,
        _ finding: String,
        _ found: (sound: [String], broken: [String])
    ) {
        self.section = section
        self.rule = rule
        self.sound = sound
        self.broken = broken
        self.finding = finding
        self.found = found
    }

    /// A line of a live playlist before its first segment.
    static func line(
        _ section: String,
        _ rule: String,
        _ sound: String,
        _ broken: String,
        _ finding: String
    ) -> RulePair {
        RulePair(
            section,
            rule,
            sound: sound,
            broken: broken,
            finding,
            (Bodies.codes(Bodies.live(with: sound)), Bodies.codes(Bodies.live(with: broken)))
        )
    }

    /// A line at the end of a multivariant playlist.
    static func ofVariants(
        _ section: String,
        _ rule: String,
        _ sound: String,
        _ broken: String,
        _ finding: String
    ) -> RulePair {
        let text = { (line: String) in Bodies.codes("\(Bodies.multivariant)\n\(line)\n") }
        return RulePair(section, rule, sound: sound, broken: broken, finding, (text(sound), text(broken)))
    }

    /// A version after another one, two seconds later; both in words.
    static func versions(
        _ section: String,
        _ rule: String,
        _ sound: String,
        _ broken: String,
        _ finding: String,
        from first: LiveVersion = LiveVersion(),
        _ change: (_ version: inout LiveVersion, _ isBroken: Bool) -> Void
    ) throws -> RulePair {
        let found = try [false, true].map { isBroken in try codes(first, first.later(1) { change(&$0, isBroken) }) }
        return RulePair(section, rule, sound: sound, broken: broken, finding, (sound: found[0], broken: found[1]))
    }
}
