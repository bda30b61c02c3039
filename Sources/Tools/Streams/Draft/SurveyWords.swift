import Report
import Values

/// Sentences for the user.
extension StreamFacts {
    /// One or two sentences each; URLs are redacted.
    @Texts package var words: [String] {
        "A live stream of HLS: \(shape.joined(separator: ", "))."
        if media.partTarget != nil || media.canBlockReload { "Low latency: \(media.lowLatency)." }
        if !media.hasProgramDates { "Without program date and time, by which breaks of viewers are compared." }
        if let method = media.encryption { "Segments are encrypted (\(YAMLScalar.comment(method)))." }
        breaks.isEmpty
            ? ["No break seen, so only playlists are judged; --watch looks longer."] : breakWords
        if let places = session?.places {
            "Each viewer has an address of its own: two requests differ in \(places.joined(separator: " and "))."
        }
        hosts.map { host in
            let asked =
                host.isAllowed
                ? "authorised" : "not authorised: take its # away in authorisedHosts if you answer for it"
            return "Another host, \(host.name): \(host.places.joined(separator: ", ")); \(asked)."
        }
        notes
    }

    @Texts private var shape: [String] {
        if let ladder {
            TextLayout.counted(ladder.variants, "variant")
            if ladder.audioRenditions > 0 { TextLayout.counted(ladder.audioRenditions, "audio rendition") }
            if ladder.subtitleRenditions > 0 { "\(ladder.subtitleRenditions) of subtitles" }
            if ladder.pathways > 0 { "content steering over \(TextLayout.counted(ladder.pathways, "pathway"))" }
        } else {
            "one media playlist"
        }
        "target duration \(media.targetDuration.text)"
        "\(TextLayout.counted(media.segments, "segment"))\(media.isEvent ? " so far (an event)" : " listed")"
        "\(TextLayout.counted(media.versions, "version")) in \(media.watched.components.seconds) s"
        if media.failedReads > 0 { "\(media.failedReads) of \(media.reads) reads failed" }
    }

    @Texts private var breakWords: [String] {
        if breaks.interstitials.count > 0 {
            let names = texts {
                if breaks.content.lists > 0 { "X-ASSET-LIST" }
                if breaks.content.assets > 0 { "X-ASSET-URI" }
            }
            let listed =
                breaks.content.assetsInList.map {
                    ", \(TextLayout.counted($0, "asset")) in the list that was asked for"
                }
                ?? ""
            let kinds = names.joined(separator: " and ")
            "Interstitials (\(kinds)): \(DraftedBreaks.told(breaks.interstitials))\(listed)."
        }
        if breaks.cueTags.count > 0 { "Cue tags: \(DraftedBreaks.told(breaks.cueTags))." }
        for (name, announced) in breaks.dateRanges.sorted(by: { $0.key < $1.key }) {
            let of = name.isEmpty ? "without a class" : "of the class \(YAMLScalar.comment(name))"
            "EXT-X-DATERANGE \(of): \(DraftedBreaks.told(announced))\(announced.hasSplices ? ", with SCTE 35" : "")."
        }
    }
}

extension SessionTrace {
    @Texts fileprivate var places: [String] {
        if !parameters.isEmpty {
            "the query (\(parameters.prefix(4).map(YAMLScalar.comment).joined(separator: ", ")))"
        }
        if !piecesAfter.isEmpty { "the path" }
    }
}

extension MediaFacts {
    /// Empty if the stream offers none.
    var lowLatency: String {
        texts {
            if let partTarget { "parts of \(partTarget.text)" }
            if canBlockReload { "blocking reload" }
            if hasDeltaUpdates { "delta updates" }
        }
        .joined(separator: ", ")
    }
}
