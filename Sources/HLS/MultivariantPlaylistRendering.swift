extension MultivariantPlaylist {
    /// The playlist as UTF-8 text with LF line ends.
    ///
    /// Parsing it gives the playlist back, under the conditions of ``MediaPlaylistWriter``.
    package func render() -> [UInt8] {
        var text = PlaylistText()
        text.header(
            version: version,
            isIndependentSegments: independentSegments,
            startPoint: startPoint,
            definitions: definitions
        )
        if let contentSteering {
            text.tag(.contentSteering, contentSteering.attributeText)
        }
        for line in otherTags {
            text.line(line)
        }
        for rendition in renditions {
            text.tag(.media, rendition.attributeText)
        }
        for variant in variants {
            text.tag(.streamInf, variant.attributeText)
            text.uri(variant.uri)
        }
        for variant in iFrameVariants {
            var attributes = variant.attributeText
            attributes.quoted("URI", variant.uri)
            text.tag(.iFrameStreamInf, attributes)
        }
        return text.bytes
    }
}

extension MultivariantPlaylist.Variant {
    var attributeText: AttributeText {
        var list = AttributeText()
        list.plain("BANDWIDTH", bandwidth)
        list.plain("AVERAGE-BANDWIDTH", averageBandwidth)
        list.quoted("CODECS", codecs)
        if let width, let height {
            list.plain("RESOLUTION", "\(width)x\(height)")
        }
        list.plain("FRAME-RATE", frameRate.map { SecondsText.decimal(SecondsText.microseconds($0)) })
        list.quoted("AUDIO", audioGroup)
        list.quoted("VIDEO", videoGroup)
        list.quoted("SUBTITLES", subtitlesGroup)
        list.others(otherAttributes)
        return list
    }
}

extension MultivariantPlaylist.Rendition {
    var attributeText: AttributeText {
        var list = AttributeText()
        list.plain("TYPE", type.rawValue)
        list.quoted("GROUP-ID", groupID)
        list.quoted("NAME", name)
        list.quoted("LANGUAGE", language)
        list.flag("DEFAULT", isDefault)
        list.flag("AUTOSELECT", isAutoselect)
        list.others(otherAttributes)
        list.quoted("URI", uri)
        return list
    }
}
