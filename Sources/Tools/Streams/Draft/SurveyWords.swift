import CTexts
import Report
import Values

extension StreamFacts {
    /// Sentences for the user, one or two of each fact; URLs are redacted.
    package var words: [String] {
        let isFast = media.partTarget != nil || media.canBlockReload
        var values: TextTemplate.Values = [
            "seen": [shape.joined(separator: ", ")],
            "lowLatency": isFast ? [media.lowLatency] : [],
            "encryption": media.encryption.map { [YAMLScalar.comment($0)] } ?? [],
            "dateRanges": breaks.classes.map { name, announced in
                let of = name.isEmpty ? "without a class" : "of the class \(YAMLScalar.comment(name))"
                return "\(of): \(DraftedBreaks.told(announced))\(announced.hasSplices ? ", with SCTE 35" : "")"
            },
            "differences": session.map { [$0.places] } ?? [],
            "hosts": hosts.map { host in
                let advice = "not authorised: take its # away in authorisedHosts if you answer for it"
                return "\(host.name): \(host.places.joined(separator: ", ")); \(host.isAllowed ? "authorised" : advice)"
            },
            "notes": notes,
        ]
        values.set("undated", if: !media.hasProgramDates)
        values.set("unbroken", if: breaks.isEmpty)
        if breaks.interstitials.count > 0 {
            values["assetKinds"] = [breaks.content.kinds(list: "X-ASSET-LIST", asset: "X-ASSET-URI")]
            let assets = breaks.content.assetsInList.map { TextLayout.counted($0, "asset") }
            let listed = assets.map { ", \($0) in the list that was asked for" } ?? ""
            values["interstitials"] = ["\(DraftedBreaks.told(breaks.interstitials))\(listed)"]
        }
        values["cueTags"] = breaks.cueTags.count > 0 ? [DraftedBreaks.told(breaks.cueTags)] : nil
        return TextTemplate.lines(podswarm_survey(), values)
    }

    private var shape: [String] {
        var shape = ladder.map { [TextLayout.counted($0.variants, "variant")] } ?? ["one media playlist"]
        if let ladder {
            if ladder.audioRenditions > 0 {
                shape.append(TextLayout.counted(ladder.audioRenditions, "audio rendition"))
            }
            if ladder.subtitleRenditions > 0 { shape.append("\(ladder.subtitleRenditions) of subtitles") }
            let pathways = TextLayout.counted(ladder.pathways, "pathway")
            if ladder.pathways > 0 { shape.append("content steering over \(pathways)") }
        }
        shape += [
            "target duration \(media.targetDuration.text)",
            "\(TextLayout.counted(media.segments, "segment"))\(media.isEvent ? " so far (an event)" : " listed")",
            "\(TextLayout.counted(media.versions, "version")) in \(media.watched.components.seconds) s",
        ]
        return shape + (media.failedReads > 0 ? ["\(media.failedReads) of \(media.reads) reads failed"] : [])
    }
}

extension SessionTrace {
    fileprivate var places: String {
        let query = "the query (\(parameters.prefix(4).map(YAMLScalar.comment).joined(separator: ", ")))"
        return [parameters.isEmpty ? nil : query, piecesAfter.isEmpty ? nil : "the path"].compactMap(\.self)
            .joined(separator: " and ")
    }
}
