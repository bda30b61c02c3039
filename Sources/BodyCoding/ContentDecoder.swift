package import Rulebook

/// The codings of one body, undone one after the other.
///
/// Every step is bounded, not only the last: what is unpacked in between costs time too.
package struct ContentDecoder {
    /// The outermost coding first; nil stands for an unknown one.
    private let stages: [Inflater?]
    private let limit: Int

    /// Makes a decoder; nil when memory is short.
    ///
    /// - Parameters:
    ///   - codings: To be undone, the outermost first.
    ///   - limit: What each of them may come to, in bytes.
    ///   - pool: Lends inflaters, and gets them back by `InflaterPool.giveBack`; nil makes new ones.
    package init?(_ codings: [ContentCoding], limit: Int, pool: InflaterPool?) {
        var stages: [Inflater?] = []
        for coding in codings {
            guard coding != .unknown else {
                stages.append(nil)
                continue
            }
            guard let inflater = pool?.take() ?? Inflater() else { return nil }
            inflater.begin(coding)
            stages.append(inflater)
        }
        self.stages = stages
        self.limit = limit
    }

    /// The inflaters, for the next body.
    var inflaters: [Inflater] { stages.compactMap { $0 } }

    /// Whether each coding came to its end with the bytes so far; one of no bytes has none to come to.
    package var isWhole: Bool { stages.allSatisfy { $0?.isWhole ?? true } }

    /// Decodes the next bytes and hands on what comes out in the end; a failure that `deliver` returns ends it.
    package func decode(
        _ bytes: UnsafeRawBufferPointer,
        deliver: (UnsafeRawBufferPointer) -> TransportFailure?
    ) -> TransportFailure? {
        decode(bytes, from: 0, deliver: deliver)
    }

    private func decode(
        _ bytes: UnsafeRawBufferPointer,
        from index: Int,
        deliver: (UnsafeRawBufferPointer) -> TransportFailure?
    ) -> TransportFailure? {
        guard !bytes.isEmpty else { return nil }
        guard index < stages.count else { return deliver(bytes) }
        guard let stage = stages[index] else { return .protocolError }
        return stage.decode(bytes, limit: limit) { decode($0, from: index + 1, deliver: deliver) }
    }
}

/// Inflaters that no body is using.
///
/// Confined to one loop.
package final class InflaterPool {
    /// What is kept for reuse; a burst's surplus goes back to the allocator.
    private static let maximumCount = 16

    private var idle: [Inflater] = []

    package init() {}

    /// One of those that are idle; nil where there is none.
    func take() -> Inflater? { idle.popLast() }

    /// Takes back what a decoder was lent; its body has been read.
    package func giveBack(_ decoder: ContentDecoder) {
        for inflater in decoder.inflaters where idle.count < Self.maximumCount { idle.append(inflater) }
    }
}
