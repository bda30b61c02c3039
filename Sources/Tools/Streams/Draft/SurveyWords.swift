import Report
import Values

/// URLs are redacted.
package struct SurveyWords: Sendable {
    /// One or two sentences each.
    package let lines: [String]

    package init(_ facts: StreamFacts) {
        var lines = ["A live stream of HLS: \(Self.shape(facts))."]
        let media = facts.media
        if media.partTarget != nil || media.canBlockReload { lines.append("Low latency: \(media.lowLatency).") }
        if !media.hasProgramDates {
            lines.append("Without program date and time, by which breaks of viewers are compared.")
        }
        if let method = media.encryption { lines.append("Segments are encrypted (\(YAMLScalar.comment(method))).") }
        lines += Self.breaks(facts) + Self.sessions(facts) + Self.hosts(facts) + facts.notes
        self.lines = lines
    }

    private static func shape(_ facts: StreamFacts) -> String {
        var words: [String] = []
        if let ladder = facts.ladder {
            words.append(TextLayout.counted(ladder.variants, "variant"))
            if ladder.audioRenditions > 0 {
                words.append(TextLayout.counted(ladder.audioRenditions, "audio rendition"))
            }
            if ladder.subtitleRenditions > 0 { words.append("\(ladder.subtitleRenditions) of subtitles") }
            if ladder.pathways > 0 {
                words.append("content steering over \(TextLayout.counted(ladder.pathways, "pathway"))")
            }
        } else {
            words.append("one media playlist")
        }
        let media = facts.media
        words.append("target duration \(media.targetDuration.text)")
        words.append(
            "\(TextLayout.counted(media.segments, "segment"))\(media.isEvent ? " so far (an event)" : " listed")"
        )
        words.append("\(TextLayout.counted(media.versions, "version")) in \(media.watched.components.seconds) s")
        if media.failedReads > 0 { words.append("\(media.failedReads) of \(media.reads) reads failed") }
        return words.joined(separator: ", ")
    }

    private static func breaks(_ facts: StreamFacts) -> [String] {
        let seen = facts.breaks
        guard !seen.isEmpty else { return ["No break seen, so only playlists are judged; --watch looks longer."] }
        var lines: [String] = []
        if seen.interstitials.count > 0 {
            let names = [seen.content.lists > 0 ? "X-ASSET-LIST" : nil, seen.content.assets > 0 ? "X-ASSET-URI" : nil]
            let listed =
                seen.content.assetsInList.map { ", \(TextLayout.counted($0, "asset")) in the list that was asked for" }
                ?? ""
            let kinds = names.compactMap(\.self).joined(separator: " and ")
            lines.append("Interstitials (\(kinds)): \(DraftedBreaks.told(seen.interstitials))\(listed).")
        }
        if seen.cueTags.count > 0 { lines.append("Cue tags: \(DraftedBreaks.told(seen.cueTags)).") }
        for (name, announced) in seen.dateRanges.sorted(by: { $0.key < $1.key }) {
            let of = name.isEmpty ? "without a class" : "of the class \(YAMLScalar.comment(name))"
            let splice = announced.hasSplices ? ", with SCTE 35" : ""
            lines.append("EXT-X-DATERANGE \(of): \(DraftedBreaks.told(announced))\(splice).")
        }
        return lines
    }

    private static func sessions(_ facts: StreamFacts) -> [String] {
        guard let session = facts.session else { return [] }
        var places: [String] = []
        if !session.parameters.isEmpty {
            let names = session.parameters.prefix(4).map(YAMLScalar.comment).joined(separator: ", ")
            places.append("the query (\(names))")
        }
        if !session.piecesAfter.isEmpty { places.append("the path") }
        return ["Each viewer has an address of its own: two requests differ in \(places.joined(separator: " and "))."]
    }

    private static func hosts(_ facts: StreamFacts) -> [String] {
        facts.hosts.map { host in
            let asked =
                host.isAllowed
                ? "authorised" : "not authorised: take its # away in authorisedHosts if you answer for it"
            return "Another host, \(host.name): \(host.places.joined(separator: ", ")); \(asked)."
        }
    }
}

extension MediaFacts {
    /// Empty if the stream offers none.
    var lowLatency: String {
        let others = [canBlockReload ? "blocking reload" : nil, hasDeltaUpdates ? "delta updates" : nil]
        return ([partTarget.map { "parts of \($0.text)" }] + others).compactMap(\.self).joined(separator: ", ")
    }
}
