import Rules

/// For an answer that does not come whole and plain; confined to one loop.
final class AnswerAssembly {
    private enum Framing {
        case length(left: Int)
        case chunked
        case untilClose
    }

    /// Kept if the body came in pieces too.
    var head = BodyBuffer()
    /// Start of the incomplete line in `head`.
    var lineStart = 0
    /// Whole lines, interim heads included.
    var headerBytes = 0
    var pendingHead = AnswerHead(decodesContent: false)

    private(set) var body = BodyBuffer()
    /// Before decoding, without framing.
    private(set) var wireBytes = 0
    private var framing = Framing.untilClose
    private var chunks = ChunkedBody(trailerRoom: 0)
    private var decoder: ContentDecoder?
    private var decodedBytes = 0
    private(set) var hasUndecodable = false
    private var bodyLimit = 0
    private var startFailure: TransportFailure?
    private let budget: BodyBudget

    init(budget: BodyBudget) { self.budget = budget }

    deinit {
        body.settle(with: budget)
        head.deallocate()
        body.deallocate()
    }

    var capacity: Int { head.capacity + body.capacity }

    var endsWithConnection: Bool {
        switch framing {
        case .length: false
        case .chunked: chunks.isWholeAtEnd
        case .untilClose: true
        }
    }

    var isDecodedWhole: Bool { decoder?.isWhole ?? true }

    /// Returns the last answer's decoder.
    func clear() -> ContentDecoder? {
        let used = decoder
        head.removeAll()
        body.removeAll()
        body.settle(with: budget)
        lineStart = 0
        headerBytes = 0
        pendingHead = AnswerHead(decodesContent: false)
        wireBytes = 0
        decodedBytes = 0
        hasUndecodable = false
        decoder = nil
        startFailure = nil
        framing = .untilClose
        return used
    }

    func beginBody(_ head: AnswerHead, trailerRoom: Int, bodyLimit: Int, pool: AnswerPool) {
        if head.isChunked {
            framing = .chunked
            chunks = ChunkedBody(trailerRoom: trailerRoom)
        } else {
            framing = head.bodyLength >= 0 ? .length(left: head.bodyLength) : .untilClose
        }
        beginBody(head.codings, bodyLimit: bodyLimit, pool: pool)
    }

    /// The framing is read elsewhere.
    func beginBody(_ codings: CodingList, bodyLimit: Int, pool: AnswerPool) {
        self.bodyLimit = bodyLimit
        guard !codings.isEmpty else { return }
        let codings = codings.decodingOrder
        guard !codings.isEmpty else { return }
        decoder = ContentDecoder(codings, limit: bodyLimit, pool: pool.inflaters)
        if decoder == nil { startFailure = .localResources }
    }

    func readBody(_ bytes: UnsafeRawBufferPointer, keepsBody: Bool) -> BodyOutcome {
        if let startFailure { return .failed(startFailure) }
        switch framing {
        case .chunked:
            return chunks.read(bytes) { deliver($0, keepsBody: keepsBody) }
        case .untilClose:
            return deliver(bytes, keepsBody: keepsBody).map { .failed($0) } ?? .incomplete
        case .length(let left):
            let count = min(left, bytes.count)
            let piece = UnsafeRawBufferPointer(rebasing: bytes[..<count])
            if let failure = deliver(piece, keepsBody: keepsBody) { return .failed(failure) }
            framing = .length(left: left - count)
            return count == left ? .complete(used: count) : .incomplete
        }
    }

    private func deliver(_ bytes: UnsafeRawBufferPointer, keepsBody: Bool) -> TransportFailure? {
        wireBytes &+= bytes.count
        guard let decoder else { return keep(bytes, keepsBody: keepsBody) }
        let failure = decoder.decode(bytes) { keep($0, keepsBody: keepsBody) }
        hasUndecodable = failure == .protocolError
        return failure
    }

    private func keep(_ bytes: UnsafeRawBufferPointer, keepsBody: Bool) -> TransportFailure? {
        guard bytes.count <= bodyLimit &- decodedBytes else { return .bodyTooLarge }
        decodedBytes &+= bytes.count
        guard !keepsBody || body.append(bytes, within: budget) else { return .localResources }
        return nil
    }
}

/// Shared by the readers of one loop; confined to it.
final class AnswerPool {
    private static let maximumCount = 16
    private static let maximumCapacity = 256 << 10

    private var assemblies: [AnswerAssembly] = []
    let inflaters = InflaterPool()
    private let budget: BodyBudget

    init(budget: BodyBudget = BodyBudget(bytes: .max)) { self.budget = budget }

    func take() -> AnswerAssembly { assemblies.popLast() ?? AnswerAssembly(budget: budget) }

    func giveBack(_ assembly: AnswerAssembly) {
        if let decoder = assembly.clear() { inflaters.giveBack(decoder) }
        guard assemblies.count < Self.maximumCount, assembly.capacity <= Self.maximumCapacity else { return }
        assemblies.append(assembly)
    }
}
