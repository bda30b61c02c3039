import Glibc
import Rules
import Values

/// Parses one HTTP/1.1 answer as its bytes arrive, split anywhere (RFC 9112).
///
/// The reader follows libcurl 7.88 if the RFC leaves a choice, or a server breaks it. An idle reader is a few words. An answer
/// that comes whole is not copied: `body` and `header` look into the bytes given to `read`.
struct AnswerReader {
    struct Limits: Sendable {
        /// All status, header and trailer lines, interim answers included.
        var headerBytes: Int
        /// Counts the decoded body.
        var bodyBytes: Int
    }

    enum Progress: Equatable {
        case incomplete
        case complete
        case failed(TransportFailure)

        /// The failure of an answer that ends here; nil for a whole one.
        var failureAtEnd: TransportFailure? {
            switch self {
            case .incomplete: .truncated
            case .complete: nil
            case .failed(let failure): failure
            }
        }
    }

    private enum Phase: UInt8 {
        case head
        case body
        case complete
        case failed
    }

    private struct Traits: OptionSet {
        let rawValue: UInt8
        static let hasBegun = Traits(rawValue: 1)
        static let bodyInPlace = Traits(rawValue: 2)
        static let keepsConnection = Traits(rawValue: 4)
        static let decodesContent = Traits(rawValue: 8)
        /// For `readLine` only.
        static let isInHead = Traits(rawValue: 16)
    }

    /// Before decoding, without chunk framing.
    private(set) var wireBodyBytes = 0
    /// In the caller's bytes; nil when the head lies in the assembly.
    private var headStart: UnsafeRawPointer?
    private var assembly: AnswerAssembly?
    private let pool: AnswerPool
    private var bodyLimit: Int
    private let headerLimit: UInt32
    private var headCount: UInt32 = 0
    private var lastStatus: UInt16 = 0
    private var phase = Phase.head
    private var failure = TransportFailure.other
    private var traits: Traits
    /// False only counts the body.
    var keepsBody = true
    /// Empty for an invalid head.
    private(set) var flaws: AnswerFlaws = []

    /// `decodesContent` false is for a request that offered no coding; readers of one loop may share a pool.
    init(limits: Limits, decodesContent: Bool = true, pool: AnswerPool = AnswerPool()) {
        self.bodyLimit = max(0, limits.bodyBytes)
        self.headerLimit = UInt32(clamping: limits.headerBytes)
        self.pool = pool
        self.traits = decodesContent ? .decodesContent : []
    }

    var hasBegun: Bool { traits.contains(.hasBegun) }

    /// Interim ones count; 0 before the first status line.
    var status: Int { Int(lastStatus) }

    var keepsConnection: Bool { phase == .complete && traits.contains(.keepsConnection) }

    /// Decoded; valid until the next call or until the bytes given to `read` go.
    var body: UnsafeRawBufferPointer {
        if traits.contains(.bodyInPlace), let headStart {
            return UnsafeRawBufferPointer(start: headStart + Int(headCount), count: wireBodyBytes)
        }
        return assembly?.body.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// The final answer's head, valid as long as `body` is.
    var head: UnsafeRawBufferPointer {
        guard phase != .head else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        if let headStart { return UnsafeRawBufferPointer(start: headStart, count: Int(headCount)) }
        return assembly?.head.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }

    mutating func limitBody(to bytes: Int) { bodyLimit = bytes }

    mutating func reset() {
        if let assembly {
            pool.giveBack(assembly)
            self.assembly = nil
        }
        wireBodyBytes = 0
        headStart = nil
        headCount = 0
        lastStatus = 0
        phase = .head
        traits.formIntersection(.decodesContent)
        flaws = []
    }

    mutating func read(_ bytes: UnsafeRawBufferPointer) -> Progress {
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return progress }
        traits.insert(.hasBegun)
        switch phase {
        case .head:
            if let assembly { return continueHead(base, bytes.count, assembly) }
            return beginHead(base, bytes.count)
        case .body:
            return readBody(base, bytes.count)
        case .complete:
            // Unasked bytes: what follows them cannot be told from an answer.
            traits.remove(.keepsConnection)
            return progress
        case .failed:
            return .failed(failure)
        }
    }

    /// Whether the head says where the body ends; for a reader of lines.
    var isFramed: Bool { assembly.map { $0.pendingHead.bodyLength >= 0 || $0.pendingHead.isChunked } ?? true }

    /// `isAnnounced`: TLS, if there is any, vouches for the end.
    mutating func ended(isAnnounced: Bool = true) -> Progress {
        traits.remove(.keepsConnection)
        guard phase == .head || phase == .body else { return progress }
        guard let assembly else { return fail(.reset) }
        if phase == .head {
            // RFC 9112 section 8: an answer whose head is cut off is incomplete; libcurl accepts it as whole.
            return fail(assembly.pendingHead.hasStatusLine ? .truncated : .reset)
        }
        guard assembly.endsWithConnection else { return fail(.truncated) }
        // As in libcurl, an upgrade that was not asked for and has no body is not an answer.
        if lastStatus == 101, wireBodyBytes == 0 { return fail(.reset) }
        if !isAnnounced, assembly.isEndedByConnection { flaws.insert(.closeUnannounced) }
        return complete(assembly)
    }

    /// A coding that has not ended is cut off, though the connection may be used again.
    private mutating func complete(_ assembly: AnswerAssembly) -> Progress {
        phase = .complete
        if !assembly.isDecodedWhole { flaws.insert(.codingInvalid) }
        return progress
    }

    private var progress: Progress {
        switch phase {
        case .head, .body: .incomplete
        case .complete: flaws.contains(.codingInvalid) ? .failed(.truncated) : .complete
        case .failed: .failed(failure)
        }
    }

    private mutating func fail(_ reason: TransportFailure) -> Progress {
        phase = .failed
        failure = reason
        return .failed(reason)
    }

    /// All answers that come whole go this way.
    private mutating func beginHead(_ base: UnsafeRawPointer, _ count: Int) -> Progress {
        var head = AnswerHead(decodesContent: traits.contains(.decodesContent))
        var start = base
        var next = base
        var left = count
        while let line = HeadLine(at: next, of: left) {
            let bytes = next
            next += line.count
            left &-= line.count
            guard count &- left <= Int(headerLimit) else { return failHead(head) }
            let step = head.take(bytes, line)
            if step == .header { continue }
            guard step == .end, memchr(start, 0, next - start) == nil else { return failHead(head) }
            if head.isInterim {
                head.beginNext()
                start = next
                continue
            }
            lastStatus = head.status
            headStart = start
            headCount = UInt32(truncatingIfNeeded: next - start)
            return beginBody(head, next, left, headerBytes: count &- left)
        }
        // Read again from the first byte, and kept.
        let assembly = takeAssembly()
        assembly.pendingHead = AnswerHead(decodesContent: traits.contains(.decodesContent))
        return continueHead(base, count, assembly)
    }

    private mutating func failHead(_ head: AnswerHead) -> Progress {
        lastStatus = head.status
        return fail(.protocolError)
    }

    /// A line that cannot become valid fails at once.
    private mutating func waitForLine(_ assembly: AnswerAssembly) -> Progress {
        let line = UnsafeRawBufferPointer(rebasing: assembly.head.bytes[assembly.lineStart...])
        guard assembly.headerBytes &+ line.count <= Int(headerLimit) else { return fail(.protocolError) }
        guard assembly.pendingHead.hasStatusLine || AnswerHead.mayBeginStatusLine(line) else {
            return fail(.protocolError)
        }
        return .incomplete
    }

    @inline(never)
    private mutating func continueHead(_ base: UnsafeRawPointer, _ count: Int, _ assembly: AnswerAssembly) -> Progress {
        var position = base
        var left = count
        while let end = memchr(position, Int32(AnswerHead.lineFeed), left) {
            let next = UnsafeRawPointer(end) + 1
            assembly.keepHead(UnsafeRawBufferPointer(start: position, count: next - position))
            left &-= next - position
            position = next
            let line = UnsafeRawBufferPointer(rebasing: assembly.head.bytes[assembly.lineStart...])
            assembly.headerBytes &+= line.count
            guard assembly.headerBytes <= Int(headerLimit), let start = line.baseAddress else {
                return fail(.protocolError)
            }
            guard let whole = HeadLine(at: start, of: line.count) else { return fail(.other) }
            let step = assembly.pendingHead.take(start, whole)
            lastStatus = assembly.pendingHead.status
            guard step != .malformed, memchr(start, 0, line.count) == nil else { return fail(.protocolError) }
            assembly.lineStart = assembly.head.count
            if step == .header { continue }
            if assembly.pendingHead.isInterim {
                assembly.pendingHead.beginNext()
                assembly.head.removeAll()
                assembly.lineStart = 0
                continue
            }
            headCount = UInt32(truncatingIfNeeded: assembly.head.count)
            return beginBody(assembly.pendingHead, position, left, headerBytes: assembly.headerBytes)
        }
        assembly.keepHead(UnsafeRawBufferPointer(start: position, count: left))
        return waitForLine(assembly)
    }

    private mutating func beginBody(
        _ head: AnswerHead,
        _ start: UnsafeRawPointer,
        _ count: Int,
        headerBytes: Int
    ) -> Progress {
        if !head.closesConnection { traits.insert(.keepsConnection) }
        flaws = head.flaws
        let length = head.bodyLength
        if length == 0 || (length > 0 && length <= count && head.codings.isEmpty && headStart != nil) {
            guard length <= bodyLimit else { return fail(.bodyTooLarge) }
            wireBodyBytes = length
            if keepsBody { traits.insert(.bodyInPlace) }
            if count > length { traits.remove(.keepsConnection) }
            phase = .complete
            return .complete
        }
        let assembly = self.assembly ?? takeAssembly()
        assembly.beginBody(head, trailerRoom: Int(headerLimit) &- headerBytes, bodyLimit: bodyLimit, pool: pool)
        phase = .body
        return readBody(start, count)
    }

    @inline(never)
    private mutating func readBody(_ start: UnsafeRawPointer, _ count: Int) -> Progress {
        guard let assembly else { return fail(.other) }
        let outcome = assembly.readBody(UnsafeRawBufferPointer(start: start, count: count))
        wireBodyBytes = assembly.wireBytes
        switch outcome {
        case .incomplete:
            if let headStart {
                assembly.keepHead(UnsafeRawBufferPointer(start: headStart, count: Int(headCount)))
                self.headStart = nil
            }
            return .incomplete
        case .complete(let used):
            if used < count { traits.remove(.keepsConnection) }
            return complete(assembly)
        case .failed(let reason):
            if assembly.hasUndecodable { flaws.insert(.codingInvalid) }
            return fail(reason)
        }
    }

    private mutating func takeAssembly() -> AnswerAssembly {
        let taken = pool.take()
        taken.keepsBody = keepsBody
        assembly = taken
        return taken
    }

    /// libcurl reads more forms of a status line than `readLine`.
    mutating func take(status: Int) { lastStatus = UInt16(clamping: status) }

    /// Reads a line of a head that libcurl has parsed; false beyond the limit of headers.
    ///
    /// libcurl reports no contradictions in a head. Trailers are ignored, and nothing in an invalid head counts. The body comes to
    /// `read` without its framing.
    mutating func readLine(_ line: UnsafeRawBufferPointer) -> Bool {
        let assembly = self.assembly ?? takeAssembly()
        assembly.headerBytes += line.count
        guard assembly.headerBytes <= Int(headerLimit) else { return false }
        if AnswerHead.mayBeginStatusLine(line) {
            assembly.head.removeAll()
            assembly.pendingHead = AnswerHead(after: line, decodesContent: traits.contains(.decodesContent))
            (lastStatus, phase, flaws) = (assembly.pendingHead.status, .body, [])
            traits.insert(.isInHead)
        } else if traits.contains(.isInHead), let start = line.baseAddress,
            let whole = HeadLine(at: start, of: line.count)
        {
            let isValid = assembly.pendingHead.hasStatusLine && assembly.pendingHead.take(start, whole) != .malformed
            if !isValid { assembly.pendingHead = AnswerHead(decodesContent: false) }
            if line[0] == AnswerHead.carriageReturn || line[0] == AnswerHead.lineFeed {
                traits.remove(.isInHead)
                flaws = assembly.pendingHead.flaws
                assembly.beginBody(assembly.pendingHead.codings, bodyLimit: bodyLimit, pool: pool)
            }
        } else {
            return true
        }
        assembly.keepHead(line)
        return true
    }
}

/// For an answer that does not come whole and plain; confined to one loop.
final class AnswerAssembly {
    private enum Framing {
        case length(left: Int)
        case chunked
        case untilClose
    }

    /// Kept if the body came in pieces too.
    fileprivate(set) var head = BodyBuffer()
    /// Start of the incomplete line in `head`.
    var lineStart = 0
    /// Whole lines, interim heads included.
    var headerBytes = 0
    var pendingHead = AnswerHead(decodesContent: false)

    private(set) var body = BodyBuffer()
    var keepsBody = true
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
        head.settle(with: budget)
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

    var isEndedByConnection: Bool { if case .untilClose = framing { true } else { false } }

    var isDecodedWhole: Bool { decoder?.isWhole ?? true }

    /// Returns the last answer's decoder.
    func clear() -> ContentDecoder? {
        let used = decoder
        head.removeAll()
        body.removeAll()
        head.settle(with: budget)
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

    /// A head is short enough to be kept in any case, and leaves bodies less room.
    func keepHead(_ bytes: UnsafeRawBufferPointer) { _ = head.append(bytes, within: budget, needed: true) }

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

    func readBody(_ bytes: UnsafeRawBufferPointer) -> BodyOutcome {
        if let startFailure { return .failed(startFailure) }
        switch framing {
        case .chunked:
            return chunks.read(bytes) { deliver($0) }
        case .untilClose:
            return deliver(bytes).map { .failed($0) } ?? .incomplete
        case .length(let left):
            let count = min(left, bytes.count)
            let piece = UnsafeRawBufferPointer(rebasing: bytes[..<count])
            if let failure = deliver(piece) { return .failed(failure) }
            framing = .length(left: left - count)
            return count == left ? .complete(used: count) : .incomplete
        }
    }

    private func deliver(_ bytes: UnsafeRawBufferPointer) -> TransportFailure? {
        wireBytes &+= bytes.count
        guard let decoder else { return keep(bytes) }
        let failure = decoder.decode(bytes) { keep($0) }
        hasUndecodable = failure == .protocolError
        return failure
    }

    private func keep(_ bytes: UnsafeRawBufferPointer) -> TransportFailure? {
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
