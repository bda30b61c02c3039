import AdServing
import HLS
import HTTPTypes
import NIOCore
import Profile

/// Equal for all sessions except for the stream id.
final class PodService: Sendable {
    private struct PlaylistKey: Hashable {
        let decision: PodDecision
        /// Nil for the multivariant manifest.
        let profile: ClipProfile?
        let podMicroseconds: Int64
        let isEmpty: Bool
    }

    private struct FileKey: Hashable {
        let file: PodFile
        let seconds: Int
    }

    let paths: PodPaths
    private let configuration: OriginConfiguration
    private let segmentSeconds: Int
    let listing: VariantListing
    private let library: ClipLibrary
    private let creatives: [String]
    /// For each aim, a break needs one per profile and one more.
    private let templates = BoundedCache<PlaylistKey, SessionTemplate>(limit: 1_024)
    private let files = BoundedCache<FileKey, Answer>(limit: .max)
    /// Media ids enlarge segments.
    private let adFiles = BoundedCache<FileKey, Answer>(limit: 128)

    init(_ configuration: OriginConfiguration, clips: ClipLibrary) {
        self.configuration = configuration
        segmentSeconds = configuration.segmentSeconds
        paths = PodPaths(configuration)
        library = clips
        creatives = PodDecision.creatives(seed: configuration.seed)
        listing = VariantListing(
            variantCount: configuration.variantCount,
            segmentSeconds: segmentSeconds,
            clip: clips.ad
        )
    }

    func profile(named name: some StringProtocol) -> ClipProfile? { listing.profiles.first { $0.rawValue == name } }

    func creative(_ decision: PodDecision, at place: Int) -> String { creatives[decision.creative(at: place)] }

    /// The multivariant manifest for no profile.
    func playlist(
        _ decision: PodDecision,
        profile: ClipProfile?,
        podMicroseconds: Int64,
        isEmpty: Bool
    ) -> SessionTemplate {
        let key = PlaylistKey(decision: decision, profile: profile, podMicroseconds: podMicroseconds, isEmpty: isEmpty)
        return templates.value(key) {
            guard let profile else {
                let manifest = listing.text(isEmpty: isEmpty) { profile in
                    paths.playlist(decision, profile: profile, podMicroseconds: podMicroseconds)
                }
                return SessionTemplate(manifest)
            }
            let query = "?\(WireName.streamIDParameter)=\(SessionTemplate.placeholder)"
            let layout = configuration.layout(of: .microseconds(isEmpty ? 0 : podMicroseconds))
            let text = text(layout, query: query) { place, ad in
                paths.creative(
                    decision,
                    profile: profile,
                    name: creative(decision, at: place),
                    place: place,
                    microseconds: ad.microseconds
                )
            }
            return SessionTemplate(text)
        }
    }

    /// A segment of some milliseconds, rounded up to whole fragments; 404 for a profile or an ad that is not the origin's.
    func answer(_ file: PodFile, milliseconds: Int?) -> Answer {
        guard let profile = profile(named: file.profile) else { return .empty(.notFound) }
        let clip = library.ad(profile)
        guard let number = file.number else { return kept(file, seconds: 0) { clip.initialization } }
        guard number <= (PodLayout.maximumSeconds - 1) / segmentSeconds else { return .empty(.notFound) }
        let whole = segmentSeconds * 1_000
        let seconds = (min(max(1, milliseconds ?? whole), whole) + 999) / 1_000
        let plain = kept(PodFile(profile: file.profile, number: number), seconds: seconds) {
            var bytes: [UInt8] = []
            let first = UInt64(number * segmentSeconds)
            for second in first..<first + UInt64(seconds) { clip.append(second: second, to: &bytes) }
            return bytes
        }
        guard let ad = file.ad else { return plain }
        guard let decision = PodDecision(token: ad.token, identifier: ad.identifier, seed: configuration.seed) else {
            return .empty(.notFound)
        }
        // Event messages with media ids precede the segment.
        let messages = AdEvents.messages(
            ofAd: ad.place,
            milliseconds: ad.milliseconds,
            decision: decision.mediaNumber,
            in: number * whole..<(number + 1) * whole,
            seed: configuration.seed
        )
        guard !messages.isEmpty else { return plain }
        return adFiles.value(FileKey(file: file, seconds: seconds)) {
            Answer(contentType: .video, caching: .immutable, body: messages + plain.body.readableBytesView)
        }
    }

    private func kept(_ file: PodFile, seconds: Int, make: () -> [UInt8]) -> Answer {
        files.value(FileKey(file: file, seconds: seconds)) {
            Answer(contentType: .video, caching: .immutable, body: make())
        }
    }

    func assetText(folder: String, microseconds: Int64, skippedMilliseconds: Int64) -> [UInt8] {
        let layout = PodLayout(
            podMicroseconds: microseconds,
            adMicroseconds: max(1, microseconds),
            segmentSeconds: segmentSeconds
        )
        return text(layout, from: Int(skippedMilliseconds / 1_000) / segmentSeconds) { _, _ in folder }
    }

    private func text(
        _ layout: PodLayout,
        from first: Int = 0,
        query: String = "",
        folder: (_ place: Int, _ ad: PodLayout.Ad) -> String
    ) -> [UInt8] {
        var writer = MediaPlaylistWriter(targetDurationSeconds: layout.targetDurationSeconds, version: 7)
        writer.playlistType = .vod
        writer.head.isIndependentSegments = true
        writer.hasEndList = true
        for (place, ad) in layout.ads.enumerated() {
            let folder = folder(place, ad)
            for (number, microseconds) in ad.segments.enumerated() {
                let isCut = microseconds < Int64(segmentSeconds) * 1_000_000
                let cut = isCut ? "\(query.isEmpty ? "?" : "&")d=\(microseconds / 1_000)" : ""
                var described = MediaPlaylistWriter.Segment(
                    uri: "\(folder)/\(first + number).mp4\(query)\(cut)",
                    durationMicroseconds: microseconds
                )
                // Each ad has its own zero and initialization section.
                described.isDiscontinuity = place > 0 && number == 0
                described.map = MediaPlaylistWriter.Map(uri: "\(folder)/init.mp4\(query)")
                writer.segments.append(described)
            }
        }
        return writer.render()
    }
}

/// Cached once, filled with each stream id.
struct SessionTemplate: Sendable {
    /// In no playlist or URL.
    static let placeholder = "\u{0}"

    private let pieces: [[UInt8]]
    private let length: Int

    init(_ text: [UInt8]) {
        pieces = text.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
        length = pieces.reduce(0) { $0 + $1.count }
    }

    func filled(with streamID: String) -> ByteBuffer {
        let identifier = Array(streamID.utf8)
        var buffer = ByteBufferAllocator().buffer(capacity: length + (pieces.count - 1) * identifier.count)
        for (index, piece) in pieces.enumerated() {
            if index > 0 { buffer.writeBytes(identifier) }
            buffer.writeBytes(piece)
        }
        return buffer
    }
}

/// Event messages of an ad (AOM, "Carriage of ID3 Timed Metadata in CMAF", section 2).
enum AdEvents {
    private static let scheme = "https://aomedia.org/emsg/ID3"
    /// Milliseconds: no segment contains the very end.
    private static let beforeEnd = 100

    static func milliseconds(of event: MediaTag.Event, in ad: Int) -> Int {
        switch event {
        case .start: 0
        case .firstQuartile: ad / 4
        case .midpoint: ad / 2
        case .thirdQuartile: ad / 4 * 3
        case .complete: ad - min(beforeEnd, ad / 10)
        }
    }

    static func messages(
        ofAd place: Int,
        milliseconds length: Int,
        decision: UInt64,
        in stretch: Range<Int>,
        seed: UInt64
    ) -> [UInt8] {
        MediaTag.Event.allCases.flatMap { event -> [UInt8] in
            let at = milliseconds(of: event, in: length)
            guard stretch.contains(at) else { return [] }
            let tag = MediaTag(decision: decision, ad: place, event: event)
            return message(at: at, number: Int(event.rawValue), text: tag.wholeID(seed: seed))
        }
    }

    private static func message(at milliseconds: Int, number: Int, text: String) -> [UInt8] {
        var content: [UInt8] = [1, 0, 0, 0]
        content += UInt32(1_000).bigEndianBytes + UInt64(milliseconds).bigEndianBytes
        content += UInt32.max.bigEndianBytes + UInt32(number).bigEndianBytes
        content += Array("\(scheme)\0\0".utf8) + tag(text)
        return MovieBox.bytes("emsg", content)
    }

    /// ID3v2.4, one TXXX frame in UTF-8.
    private static func tag(_ text: String) -> [UInt8] {
        let content: [UInt8] = [3, 0] + Array(text.utf8)
        let frame = Array("TXXX".utf8) + syncsafe(content.count) + [0, 0] + content
        return Array("ID3".utf8) + [4, 0, 0] + syncsafe(frame.count) + frame
    }

    private static func syncsafe(_ number: Int) -> [UInt8] {
        [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: number >> $0 & 0x7F) }
    }
}
