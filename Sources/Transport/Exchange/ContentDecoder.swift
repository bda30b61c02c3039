import Rulebook

/// The codings of one body, undone one after the other.
///
/// Every step is bounded, not only the last: what is unpacked in between costs time too.
struct ContentDecoder {
    /// The outermost coding first; nil stands for an unknown one.
    private let stages: [Inflater?]
    private let limit: Int

    /// Makes a decoder; nil when memory is short.
    init?(_ codings: [ContentCoding], limit: Int, pool: AnswerPool?) {
        var stages: [Inflater?] = []
        for coding in codings {
            guard coding != .unknown else {
                stages.append(nil)
                continue
            }
            guard let inflater = pool?.takeInflater() ?? Inflater() else { return nil }
            inflater.begin(coding)
            stages.append(inflater)
        }
        self.stages = stages
        self.limit = limit
    }

    /// The inflaters, for the next body.
    var inflaters: [Inflater] { stages.compactMap { $0 } }

    /// Decodes the next bytes and hands on what comes out in the end.
    func decode(
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
