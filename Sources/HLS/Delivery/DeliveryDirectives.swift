/// Delivery directives of a playlist request (bis-22 section 6.2.5).
package struct DeliveryDirectives: Hashable, Sendable {
    package static let mediaSequenceParameter = "_HLS_msn"
    package static let partParameter = "_HLS_part"
    package static let skipParameter = "_HLS_skip"

    /// Parts of the playlist that a delta update leaves out.
    package enum Skip: String, Hashable, Sendable, CaseIterable {
        case segments = "YES"
        /// Old date ranges too.
        case segmentsAndDateRanges = "v2"
    }

    /// Hold the answer until this media sequence number is there.
    package var mediaSequence: UInt64?
    /// Hold the answer until the segment has this part, counted from 0.
    package var part: UInt64?
    package var skip: Skip?

    package init(mediaSequence: UInt64? = nil, part: UInt64? = nil, skip: Skip? = nil) {
        (self.mediaSequence, self.part, self.skip) = (mediaSequence, part, skip)
    }

    package var isEmpty: Bool { mediaSequence == nil && part == nil && skip == nil }

    /// A server answers 400 (bis-22 section 6.2.5.2).
    package enum Problem: Error, Hashable, Sendable {
        case notANumber(parameter: String)
        case partWithoutMediaSequence, unknownSkip
    }

    package init(in url: String) throws(Problem) {
        let query = URLQuery(of: url)
        mediaSequence = try Self.number(Self.mediaSequenceParameter, query)
        part = try Self.number(Self.partParameter, query)
        guard part == nil || mediaSequence != nil else { throw .partWithoutMediaSequence }
        if let text = query.value(of: Self.skipParameter) {
            skip = Skip(rawValue: text)
            guard skip != nil else { throw .unknownSkip }
        }
    }

    private static func number(_ name: String, _ query: URLQuery) throws(Problem) -> UInt64? {
        guard let text = query.value(of: name) else { return nil }
        guard let number = UInt64(text), text.utf8.first != UInt8(ascii: "+") else {
            throw .notANumber(parameter: name)
        }
        return number
    }

    /// `inOrder` sorts by UTF-8 bytes, as clients must do (bis-22 section 6.2.5); hls.js and Media3 append the directives.
    package func url(_ url: String, inOrder: Bool = true) -> String {
        var query = URLQuery(of: url)
        for name in [Self.mediaSequenceParameter, Self.partParameter, Self.skipParameter] { query.remove(name) }
        if let mediaSequence { query.set(Self.mediaSequenceParameter, to: String(mediaSequence)) }
        if let part { query.set(Self.partParameter, to: String(part)) }
        if let skip { query.set(Self.skipParameter, to: skip.rawValue) }
        if inOrder, !isEmpty { query.sort() }
        return query.url
    }

    /// Nil without blocking reload, or after the end.
    ///
    /// A part past the end of its segment means part 0 of the next (bis-22 section 6.2.5.2). A complete last segment leads
    /// to part 0 of the one after it.
    package static func next(after playlist: MediaPlaylist) -> DeliveryDirectives? {
        guard playlist.serverControl?.canBlockReload == true, !playlist.hasEndList else { return nil }
        return DeliveryDirectives(
            mediaSequence: playlist.endMediaSequence,
            part: playlist.partTargetMicroseconds == nil ? nil : playlist.trailingPartCount
        )
    }

    /// The playlist must be younger than half the skip boundary (bis-22 section 6.3.7): ``isYoungEnough(age:_:)``.
    package static func skip(
        offeredBy control: MediaPlaylist.ServerControl?,
        includingDateRanges: Bool = true
    ) -> Skip? {
        guard let control, control.canSkipUntilSeconds != nil else { return nil }
        return control.canSkipDateRanges && includingDateRanges ? .segmentsAndDateRanges : .segments
    }

    /// Whether a whole playlist satisfies the condition for a held answer (bis-22 section 6.2.5.2).
    package func areMet(by playlist: MediaPlaylist) -> Bool {
        guard let mediaSequence, !playlist.hasEndList, playlist.endMediaSequence <= mediaSequence else { return true }
        guard let part else { return false }
        guard playlist.partTargetMicroseconds != nil else { return true }
        return playlist.endMediaSequence == mediaSequence && playlist.trailingPartCount > part
    }

    package static func isYoungEnough(age: Duration, _ control: MediaPlaylist.ServerControl?) -> Bool {
        guard let boundary = control?.canSkipUntilSeconds else { return false }
        return age.wholeMicroseconds < SecondsText.microseconds(boundary / 2)
    }
}

extension MediaPlaylist {
    package var trailingPartCount: UInt64 {
        UInt64(parts.reversed().prefix { $0.segmentIndex == segments.count }.count)
    }

    /// Names the part after the last one reported (bis-22 section 4.4.5.4); without `LAST-MSN` the renditions are in step.
    package func directives(reportedBy report: RenditionReport) -> DeliveryDirectives? {
        guard serverControl?.canBlockReload == true, !hasEndList else { return nil }
        guard let last = report.lastMediaSequence else { return .next(after: self) }
        guard partTargetMicroseconds != nil else { return DeliveryDirectives(mediaSequence: last.addingClamped(1)) }
        return DeliveryDirectives(mediaSequence: last, part: report.lastPart.map { $0.addingClamped(1) } ?? 0)
    }
}
