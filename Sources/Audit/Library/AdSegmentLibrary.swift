import AdServing
import Audience
import TimedMetadata

/// The media ids in the segments of ads that this loop's viewers load, each segment read by one of them for all.
///
/// A segment's ids are the same for whoever plays it, and its body is large: only as many are held at one time as have
/// room, whatever the audience. Confined to its loop.
final class AdSegmentLibrary {
    /// Known by what is played at their addresses.
    private var known: [UInt64: SegmentMediaIDs] = [:]
    /// Of initialisation sections.
    private var timescales: [UInt64: [UInt32: UInt32]] = [:]
    private var readings = 0
    private let carried = CarriedMediaIDs()

    /// Bodies that are held at one time.
    private static let maximumReadings = 64
    private static let keptSegments = 8_192

    /// A viewer asks for a segment of an ad, or an initialisation section.
    ///
    /// - Parameters:
    ///   - address: A hash of what is played there.
    ///   - mayRead: Whether this viewer is one of those who read.
    /// - Returns: What will be known of it, and whether the body is to be kept.
    func asked(_ address: UInt64, mayRead: Bool) -> AdSegmentRequest {
        let mediaIDs = known[address] ?? SegmentMediaIDs(carried)
        if known[address] == nil {
            if known.count >= Self.keptSegments { known.removeAll(keepingCapacity: true) }
            known[address] = mediaIDs
        }
        let reads = mayRead && readings < Self.maximumReadings && mediaIDs.claim()
        if reads { readings += 1 }
        return AdSegmentRequest(address: address, mediaIDs: mediaIDs, reads: reads)
    }

    /// The request was answered, or given up; nil for a body that did not come.
    ///
    /// - Parameters:
    ///   - request: What was asked for.
    ///   - body: Of a success.
    ///   - initialization: The section that the viewer loaded before it.
    func answered(_ request: AdSegmentRequest, body: UnsafeRawBufferPointer?, initialization: UInt64?) {
        guard request.reads else { return }
        readings -= 1
        guard let body, !body.isEmpty else { return request.mediaIDs.release() }
        let clock = initialization.flatMap { timescales[$0] } ?? [:]
        let metadata = TimedMetadata(reading: body, timescales: clock)
        if !metadata.timescales.isEmpty {
            if timescales.count >= Self.keptSegments { timescales.removeAll(keepingCapacity: true) }
            timescales[request.address] = metadata.timescales
        }
        // Metadata of other uses is in the same frames.
        let cues = metadata.texts.filter { $0.text.hasPrefix(WireName.mediaIDPrefix) }.map {
            MediaIDCue($0.text, offsetMicroseconds: $0.offsetMicroseconds ?? 0)
        }
        request.mediaIDs.tell(cues)
    }

    /// Whether a section has told its tracks' clocks.
    func isInitialization(_ address: UInt64) -> Bool { timescales[address] != nil }
}

/// A request for a segment of an ad, while it is under way.
struct AdSegmentRequest {
    let address: UInt64
    let mediaIDs: SegmentMediaIDs
    /// Whether its body is read, for all.
    let reads: Bool
    /// Of the viewer's break that it belongs to.
    var breakSerial: UInt16 = 0
}
