// Depending on the build, the socket headers belong to one of these modules.
import CCurl
import CLinux
import Glibc
import Values

typealias ConnectionPointer = UnsafeMutablePointer<Connection>

struct Connection {
    enum Phase: UInt8 {
        case none
        case connecting
        case handshaking
        case idle
        case sending
        case awaiting
        /// Speaks HTTP/2, idle or not.
        case http2
    }

    // Fields that a send touches fill the first two cache lines: with thousands of connections every line is cold.

    /// nil while idle and while the connection is being opened.
    var transfer: CarriedTransfer?
    var phase = Phase.none
    /// An earlier request was answered here: a close without an answer may be a race.
    var isReused = false
    var interest: Readiness = []
    var written: Int32 = 0
    var firstByteAt = Instant.zero
    var route: Route?
    var tls: TLSConnection?
    /// nil for HTTP/1.1, and while the connection is being opened.
    var http2: HTTP2Connection?

    var reader: AnswerReader
    var owner: ConnectionOwner?
    /// Next in the owner's list.
    var nextOfOwner: ConnectionPointer?
    var descriptor: Int32 = -1
    var answeredOn = AnsweredOn()
    /// Counted where the life of connections is limited.
    var answers: UInt16 = 0
    /// nil once the connection stands.
    var opening: Opening?
    /// The time to connect counted from here.
    var since = Instant.zero
    /// Start of the present step of opening.
    var openedAt = Instant.zero
    /// Kernel's receipt of the bytes read last; zero if unknown.
    var receivedAt = Instant.zero

    var awaitsRequest: Bool {
        transfer == nil && http2 == nil && opening?.waiting.isEmpty != false && opening?.offersHTTP2 != true
    }

    // Mutating, so that no copy of the connection is made.

    @inline(__always)
    mutating func write(_ bytes: UnsafeRawBufferPointer) -> TLSOutcome {
        if let tls { return tls.write(bytes) }
        let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        guard count < 0 else { return .done(count) }
        return errno == EAGAIN || errno == EINTR ? .wantsWrite : .reset
    }

    /// `stamp` becomes the kernel's receipt of the last byte, in nanoseconds of CLOCK_REALTIME; 0 if unknown.
    @inline(__always)
    mutating func read(into buffer: UnsafeMutableRawBufferPointer, stamp: inout Int64) -> TLSOutcome {
        if let tls {
            let outcome = tls.read(into: buffer)
            stamp = tls.lastReceipt
            return outcome
        }
        let count = podswarm_receive(descriptor, buffer.baseAddress, buffer.count, &stamp)
        if count > 0 { return .done(count) }
        if count == 0 { return .closed }
        return errno == EAGAIN || errno == EINTR ? .wantsRead : .reset
    }

    /// Keeps the session for the owner's next connection to the same origin.
    func endTLS() {
        guard let tls else { return }
        if phase.rawValue >= Phase.idle.rawValue {
            if let owner, let route, !owner.isClosed, let session = tls.takeSession(of: ObjectIdentifier(route)) {
                owner.sessions.removeAll { $0.peer == session.peer }
                owner.sessions.append(session)
            }
            tls.sayGoodbye()
        }
        tls.free()
    }
}

/// Entries by descriptor stay at their addresses while the table lives.
///
/// Confined to its loop.
final class ConnectionTable {
    private static let chunkCapacity = 256
    private static let cacheLine = 64

    @exclusivity(unchecked) private var chunks: ContiguousArray<ConnectionPointer> = []
    private let freshReader: AnswerReader

    init(reader: AnswerReader) { freshReader = reader }

    deinit {
        for chunk in chunks {
            chunk.deinitialize(count: Self.chunkCapacity)
            chunk.deallocate()
        }
    }

    /// Stops the process for a descriptor that no connection ever had.
    @inline(__always)
    subscript(descriptor: Int32) -> ConnectionPointer {
        let (chunk, place) = Int(UInt32(bitPattern: descriptor)).quotientAndRemainder(dividingBy: Self.chunkCapacity)
        return chunks[chunk] + place
    }

    var open: [ConnectionPointer] {
        chunks.flatMap { chunk in (0..<Self.chunkCapacity).map { chunk + $0 } }.filter { $0.pointee.phase != .none }
    }

    func enter(_ descriptor: Int32, _ opening: Opening) -> ConnectionPointer {
        while chunks.count * Self.chunkCapacity <= Int(descriptor) {
            let size = Self.chunkCapacity * MemoryLayout<Connection>.stride
            let chunk = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: Self.cacheLine)
                .bindMemory(to: Connection.self, capacity: Self.chunkCapacity)
            for index in 0..<Self.chunkCapacity { (chunk + index).initialize(to: Connection(reader: freshReader)) }
            chunks.append(chunk)
        }
        let entry = self[descriptor]
        let owner = opening.owner
        entry.pointee.descriptor = descriptor
        entry.pointee.phase = .connecting
        entry.pointee.opening = opening
        entry.pointee.owner = owner
        entry.pointee.route = opening.route
        entry.pointee.nextOfOwner = owner.firstConnection
        owner.firstEntry = UnsafeMutableRawPointer(entry)
        return entry
    }

    func remove(_ entry: ConnectionPointer) {
        let next = entry.pointee.nextOfOwner
        if let owner = entry.pointee.owner, owner.firstConnection == entry {
            owner.firstEntry = UnsafeMutableRawPointer(next)
        } else {
            let before = entry.pointee.owner?.connections.first { $0.pointee.nextOfOwner == entry }
            before?.pointee.nextOfOwner = next
        }
        entry.pointee = Connection(reader: freshReader)
    }
}

extension ConnectionOwner {
    var firstConnection: ConnectionPointer? {
        @inline(__always) get { firstEntry?.assumingMemoryBound(to: Connection.self) }
    }

    var connections: [ConnectionPointer] {
        Array(
            sequence(state: firstConnection) { next in
                defer { next = next?.pointee.nextOfOwner }
                return next
            }
        )
    }

    @inline(__always)
    func connection(to route: Route, where isMeant: (ConnectionPointer) -> Bool) -> ConnectionPointer? {
        var next = firstConnection
        while let connection = next {
            if isMeant(connection), connection.pointee.route === route { return connection }
            next = connection.pointee.nextOfOwner
        }
        return nil
    }
}
