import Audience
import Viewer

/// The metadata that viewers were given last, read once for all who were given the same.
struct KnownMetadata {
    private static let keptBodies = 8

    private var known: [(body: [UInt8], event: ViewerEvent)] = []

    func event(of body: UnsafeRawBufferPointer) -> ViewerEvent? {
        known.first { $0.body.count == body.count && $0.body.elementsEqual(body) }?.event
    }

    /// Keeps what a body told, if that is metadata.
    mutating func keep(_ event: ViewerEvent, of body: UnsafeRawBufferPointer) {
        guard case .metadata(.some) = event, self.event(of: body) == nil else { return }
        if known.count == Self.keptBodies { known.removeFirst() }
        known.append((Array(body), event))
    }
}
