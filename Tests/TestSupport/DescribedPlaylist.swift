package import HLS

extension MediaPlaylistWriter {
    /// Describes a parsed playlist, without its notes about conflicting date ranges.
    package init(describing playlist: MediaPlaylist) {
        self.init(targetDurationSeconds: playlist.targetDurationSeconds)
        head = playlist.head
        mediaSequence = playlist.mediaSequence
        discontinuitySequence = playlist.discontinuitySequence
        playlistType = playlist.playlistType
        serverControl = playlist.serverControl
        partTargetMicroseconds = playlist.partTargetMicroseconds
        isIFramesOnly = playlist.isIFramesOnly
        skippedSegments = playlist.skippedSegments
        recentlyRemovedDateRanges = playlist.recentlyRemovedDateRanges
        dateRanges = playlist.dateRanges.map { range in
            var range = range
            range.conflictingAttributes = []
            return range
        }
        segments = playlist.segments.map { Self.describe($0, playlist) }
        for tag in playlist.otherTags {
            let line = playlist.string(in: tag.line)
            if segments.indices.contains(tag.segmentIndex) {
                segments[tag.segmentIndex].otherTags.append(line)
            } else {
                trailingTags.append(line)
            }
        }
        for part in playlist.parts {
            let described = Self.describe(part, playlist)
            if segments.indices.contains(part.segmentIndex) {
                segments[part.segmentIndex].parts.append(described)
            } else {
                trailingParts.append(described)
            }
        }
        preloadHints = playlist.preloadHints.map { hint in
            var described = Hint(kind: hint.kind, uri: playlist.string(in: hint.uri))
            (described.byteRangeStart, described.byteRangeLength) = (hint.byteRangeStart, hint.byteRangeLength)
            return described
        }
        renditionReports = playlist.renditionReports.map {
            Report(uri: playlist.string(in: $0.uri), lastMediaSequence: $0.lastMediaSequence, lastPart: $0.lastPart)
        }
        hasEndList = playlist.hasEndList
    }

    private static func describe(_ segment: MediaPlaylist.Segment, _ playlist: MediaPlaylist) -> Segment {
        var described = Segment(uri: playlist.uri(of: segment), durationMicroseconds: segment.durationMicroseconds)
        described.title = segment.title.map { playlist.string(in: $0) }
        described.programDate = segment.programDate
        (described.isDiscontinuity, described.isGap) = (segment.isDiscontinuity, segment.isGap)
        described.map = segment.mapURI.map { Map(uri: playlist.string(in: $0), byteRange: segment.mapByteRange) }
        described.byteRange = segment.byteRange
        return described
    }

    private static func describe(_ part: MediaPlaylist.PartialSegment, _ playlist: MediaPlaylist) -> Part {
        var described = Part(
            uri: playlist.string(in: part.uri),
            durationMicroseconds: part.durationMicroseconds,
            isIndependent: part.isIndependent
        )
        (described.isGap, described.byteRange) = (part.isGap, part.byteRange)
        return described
    }
}
