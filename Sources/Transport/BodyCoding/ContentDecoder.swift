package import Rules

/// Decodes the codings of one body, one after the other.
///
/// Every step has the limit, not only the last: unpacking in between costs time too.
package struct ContentDecoder {
    /// The outermost coding first; nil stands for an unknown one.
    private let stages: [Inflater?]
    private let limit: Int

    /// `codings` has the outermost first; `limit` bounds the bytes after each of them; nil when memory is short.
    ///
    /// `pool` lends inflaters until `InflaterPool.giveBack`; nil makes new ones.
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

    var inflaters: [Inflater] { stages.compactMap { $0 } }

    /// Whether each coding has ended with the bytes so far; a body without bytes is whole.
    package var isWhole: Bool { stages.allSatisfy { $0?.isWhole ?? true } }

    /// Decodes the next bytes and hands on the result; a failure that `deliver` returns ends it.
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

/// Inflaters that no body is using; confined to one loop.
package final class InflaterPool {
    /// Limit of what is kept for reuse; a burst's surplus goes back to the allocator.
    private static let maximumCount = 16

    private var idle: [Inflater] = []

    package init() {}

    func take() -> Inflater? { idle.popLast() }

    /// Takes back a decoder's inflaters once its body has been read.
    package func giveBack(_ decoder: ContentDecoder) {
        for inflater in decoder.inflaters where idle.count < Self.maximumCount { idle.append(inflater) }
    }
}
