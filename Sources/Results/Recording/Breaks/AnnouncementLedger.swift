import Values

/// One form of a break's announcement, with the viewers that saw it first.
package struct AnnouncementVariant: Summable, Equatable, Codable, Sendable {
    package let announcement: Announcement
    package fileprivate(set) var viewers = ViewerSet()
    /// Sightings by those viewers, with only a URL.
    package fileprivate(set) var span: SightingSpan

    package mutating func add(_ other: AnnouncementVariant) {
        viewers.formUnion(other.viewers)
        span.add(other.span)
    }
}

package struct Announcement: Equatable, Codable, Sendable {
    /// Without parts specific to an edge or a viewer; only announcements of one playlist are compared.
    package var playlist: String
    package var attributes: [String: String]
    /// Dates and durations, in microseconds.
    package var times: [String: Int64]

    package init(playlist: String, attributes: [String: String], times: [String: Int64] = [:]) {
        (self.playlist, self.attributes, self.times) = (playlist, attributes, times)
    }
}

/// Limited per loop; totals may have one limit per loop.
package struct AnnouncementLedger: Equatable, Codable, Sendable, EmptyWhereMissing, CheckedWhenRead {
    package static let variantLimit = 8

    package private(set) var variants: [UInt64: AnnouncementVariant] = [:]
    /// Viewers whose playlists cover the break's start or middle without announcing it.
    package private(set) var lacking = ViewerSet()
    /// Sighting by the lacking viewer with the lowest number.
    package private(set) var lackingSighting: Sighting?
    package private(set) var notKept = 0

    package init() {}

    package func told(in playlist: String? = nil) -> ViewerSet {
        variants.values.reduce(into: ViewerSet()) { told, variant in
            if playlist == nil || variant.announcement.playlist == playlist { told.formUnion(variant.viewers) }
        }
    }

    /// Only a viewer's first sight counts; `url` is evaluated at that of a form, and if forms of one playlist differ.
    package mutating func announced(
        _ fingerprint: UInt64,
        at moment: ViewerMoment,
        url: () -> String,
        announcement: () -> Announcement
    ) {
        let isNew = variants[fingerprint] == nil
        if isNew {
            guard variants.count < Self.variantLimit else {
                notKept &+= 1
                return
            }
            let span = SightingSpan(Sighting(moment, Evidence(url: url())))
            variants[fingerprint] = AnnouncementVariant(announcement: announcement(), span: span)
        }
        guard !variants.values.contains(where: { $0.viewers.contains(moment.viewer) }) else { return }
        variants[fingerprint]?.viewers.insert(moment.viewer)
        guard !isNew, let playlist = variants[fingerprint]?.announcement.playlist else { return }
        let isContested = variants.contains { $0.key != fingerprint && $0.value.announcement.playlist == playlist }
        variants[fingerprint]?.span.add(moment, isContested ? Evidence(url: url()) : nil)
    }

    package mutating func lacked(at moment: ViewerMoment, evidence: () -> Evidence) {
        guard lacking.insert(moment.viewer) else { return }
        guard lackingSighting.map({ moment.viewer < $0.viewer }) ?? true else { return }
        lackingSighting = Sighting(moment, evidence())
    }

    mutating func add(_ other: AnnouncementLedger) {
        variants.add(other.variants)
        lacking.formUnion(other.lacking)
        lackingSighting = [lackingSighting, other.lackingSighting].compactMap(\.self)
            .min { ($0.viewer, $0) < ($1.viewer, $1) }
        notKept &+= other.notKept
    }

    package var problem: String? { notKept >= 0 && notKept < 1 << 48 ? nil : "no count: \(notKept)" }
}
