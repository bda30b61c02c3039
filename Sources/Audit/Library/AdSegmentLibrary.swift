import AdServing
import HLS
import Viewer

/// Media ids in the ad segments that this loop's viewers load; one viewer reads each segment for all.
///
/// A segment's ids are equal for all viewers, and its body is large: the number of bodies held at one time is limited, whatever
/// the audience. Confined to its loop.
final class AdSegmentLibrary {
    /// Keyed by the hash of the content at a URL.
    private var known: [UInt64: SegmentMediaIDs] = [:]
    /// Timescales of tracks, by initialisation section.
    private var timescales: [UInt64: [UInt32: UInt32]] = [:]
    private var readings = 0
    private let carried = CarriedMediaIDs()

    /// Bodies held at one time.
    private static let maximumReadings = 64
    private static let keptSegments = 8_192

    /// Registers a viewer's request for an ad segment or initialisation section.
    ///
    /// `mayRead`: the viewer is in the share that reads.
    func asked(_ address: UInt64, mayRead: Bool) -> AdSegmentRequest {
        let mediaIDs = known[address] ?? SegmentMediaIDs(carried)
        if known[address] == nil { known.keep(mediaIDs, for: address, atMost: Self.keptSegments) }
        let reads = mayRead && readings < Self.maximumReadings && mediaIDs.claim()
        if reads { readings += 1 }
        return AdSegmentRequest(address: address, mediaIDs: mediaIDs, reads: reads)
    }

    /// Ends a request; `body` is nil if none came.
    ///
    /// `initialization` is the section that the viewer loaded before.
    func answered(_ request: AdSegmentRequest, body: UnsafeRawBufferPointer?, initialization: UInt64?) {
        guard request.reads else { return }
        readings -= 1
        guard let body, !body.isEmpty else { return request.mediaIDs.release() }
        let clock = initialization.flatMap { timescales[$0] } ?? [:]
        let metadata = TimedMetadata(reading: body, timescales: clock)
        if !metadata.timescales.isEmpty {
            timescales.keep(metadata.timescales, for: request.address, atMost: Self.keptSegments)
        }
        // These frames also carry metadata of other uses.
        let cues = metadata.texts.filter { $0.text.hasPrefix(WireName.mediaIDPrefix) }.map {
            MediaIDCue($0.text, offsetMicroseconds: $0.offsetMicroseconds ?? 0)
        }
        request.mediaIDs.tell(cues)
    }

    func isInitialization(_ address: UInt64) -> Bool { timescales[address] != nil }
}

struct AdSegmentRequest {
    let address: UInt64
    let mediaIDs: SegmentMediaIDs
    /// Whether its body is read for all viewers.
    let reads: Bool
    var breakSerial: UInt16 = 0
}
