/// Limited text in pieces, so that two bodies can be compared long after both are gone.
package enum ContentSummary {
    private static let separator = "; "

    /// `first` has the number of the pieces; all are redacted, such as an ad's address and duration.
    package static func text(_ first: String, _ pieces: some Sequence<String>) -> String {
        var text = first
        for piece in pieces {
            guard text.utf8.count <= Evidence.textLimit else { break }
            text += separator + piece
        }
        return text
    }

    /// From the first different piece on; the kind is, for example, `ad 2 is another`.
    package typealias Difference = (kind: String, expected: String, observed: String)

    package static func difference(_ expected: String, _ observed: String) -> Difference {
        guard expected != observed else {
            return ("only addresses differ", expected, "the same but for what of an address is not shown here")
        }
        let one = expected.split(separator: separator).map(String.init)
        let other = observed.split(separator: separator).map(String.init)
        let equal = zip(one, other).prefix { $0 == $1 }.count
        // The first piece has the number of the others, and differs with it.
        let (ours, theirs) = (Array(one.dropFirst()), Array(other.dropFirst()))
        let kind = kind(ours, theirs, noun: noun(of: one.first ?? ""))
        return (kind, rest(of: one, after: equal), rest(of: other, after: equal))
    }

    private static let offer = "variant"

    private static func noun(of first: String) -> String {
        if first.contains("variants") { return offer }
        if first.contains("assets") { return "asset" }
        return first.hasSuffix(" ms") ? "ad" : "segment"
    }

    private static func kind(_ ours: [String], _ theirs: [String], noun: String) -> String {
        let equal = zip(ours, theirs).prefix { $0 == $1 }.count
        guard ours.count == theirs.count else {
            let (more, fewer) = (max(ours.count, theirs.count), min(ours.count, theirs.count))
            let word = theirs.count > ours.count ? "more" : "fewer"
            guard equal == fewer else {
                return "\(theirs.count) in place of \(ours.count), from \(noun) \(equal + 1) on"
            }
            return "\(more - fewer) \(word) at the end"
        }
        guard equal < ours.count else { return "another length" }
        if ours.sorted() == theirs.sorted() { return "another order, from \(noun) \(equal + 1) on" }
        // An offered variant is a whole piece; other pieces have a name and properties.
        guard noun != offer else { return "\(noun) \(equal + 1) is another" }
        let (our, their) = (ours[equal].prefix { $0 != " " }, theirs[equal].prefix { $0 != " " })
        return "\(noun) \(equal + 1) is \(our == their ? "not the same length" : "another")"
    }

    private static func rest(of pieces: [String], after equal: Int) -> String {
        let rest = pieces.dropFirst(equal).joined(separator: separator)
        guard equal > 0 else { return rest }
        let parts = equal == 1 ? "1 equal part" : "\(equal) equal parts"
        return rest.isEmpty ? "nothing after \(parts)" : "after \(parts): \(rest)"
    }
}
