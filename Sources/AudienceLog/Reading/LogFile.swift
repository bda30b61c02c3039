import BodyCoding
import Glibc
import Rulebook

/// A file of a log, or standard input, as bytes that are unpacked where they are packed.
final class LogFile {
    static let standardInput = "-"

    private static let plainBytes = 1 << 18
    private static let packedBytes = 1 << 14
    /// So few are unpacked at once: they may become a thousand times as many, in each of the files that are open together.
    private static let pieceBytes = 1 << 8
    private static let gzipMark: [UInt8] = [0x1F, 0x8B]

    private enum Packing {
        case unknown
        case none
        case gzip(ContentDecoder)
    }

    let name: String
    /// Of a file that has a size.
    let size: Int?
    /// Whether it does not begin anew when it is opened again.
    let isReadOnce: Bool
    private let descriptor: Int32
    private var packing = Packing.unknown
    /// What was read of a packed file; what lies from `packedStart` to `packedEnd` is not unpacked yet.
    private var packed: [UInt8] = []
    private var packedStart = 0
    private var packedEnd = 0

    /// Opens it.
    /// - Throws: Why it cannot be read.
    init(_ path: String) throws(AudienceLogError) {
        name = path == Self.standardInput ? "standard input" : path
        descriptor = path == Self.standardInput ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            let reason = String(cString: strerror(errno))
            if descriptor >= 0 { close(descriptor) }
            throw .unreadable(name: path, reason: reason)
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            close(descriptor)
            throw .unreadable(name: path, reason: "it is a folder")
        }
        size = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
        isReadOnce = path == Self.standardInput || size == nil
    }

    deinit { close(descriptor) }

    /// Whether what is packed, if anything, has come to its end.
    var isWhole: Bool {
        guard case .gzip(let decoder) = packing else { return true }
        return decoder.isWhole
    }

    /// Reads on.
    ///
    /// - Parameter buffer: Gets what the file says.
    /// - Returns: How many bytes of the file that was; 0 at its end.
    /// - Throws: Why it cannot be read on.
    func fill(_ buffer: LineBuffer) throws(AudienceLogError) -> Int {
        switch packing {
        case .unknown: return try begin(buffer)
        case .none:
            return try checked(buffer.append(atMost: Self.plainBytes) { self.read($0, $1) })
        case .gzip(let decoder):
            if packedStart == packedEnd {
                packedStart = 0
                packedEnd = try checked(packed.withUnsafeMutableBytes { self.read($0.baseAddress, $0.count) })
            }
            return try unpack(decoder, buffer)
        }
    }

    /// Reads the first bytes, which say whether it is packed.
    private func begin(_ buffer: LineBuffer) throws(AudienceLogError) -> Int {
        var read = 0
        while read < Self.gzipMark.count {
            let count = try checked(buffer.append(atMost: Self.packedBytes) { self.read($0, $1) })
            guard count > 0 else { break }
            read += count
        }
        guard buffer.bytes.starts(with: Self.gzipMark) else {
            packing = .none
            return read
        }
        guard let decoder = ContentDecoder([.gzip], limit: .max, pool: nil) else {
            throw .unreadable(name: name, reason: "there is no memory to unpack it")
        }
        packing = .gzip(decoder)
        packed = Array(buffer.bytes)
        packedEnd = packed.count
        packed += repeatElement(0, count: max(0, Self.packedBytes - packedEnd))
        buffer.removeAll()
        return try unpack(decoder, buffer)
    }

    /// Unpacks of what was read as much as becomes about as many bytes as are read of a file that is not packed.
    private func unpack(_ decoder: ContentDecoder, _ buffer: LineBuffer) throws(AudienceLogError) -> Int {
        let first = packedStart
        let enough = buffer.count + Self.plainBytes
        while packedStart < packedEnd, buffer.count < enough {
            let piece = packedStart..<min(packedEnd, packedStart + Self.pieceBytes)
            packedStart = piece.upperBound
            let failure = packed.withUnsafeBytes { bytes in
                decoder.decode(LineBytes(rebasing: bytes[piece])) { unpacked in
                    buffer.append(unpacked)
                    return nil
                }
            }
            guard failure == nil else { throw .unreadable(name: name, reason: "what is packed in it is damaged") }
        }
        return packedStart - first
    }

    private func read(_ memory: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        while true {
            let done = Glibc.read(descriptor, memory, count)
            guard done < 0, errno == EINTR else { return done }
        }
    }

    private func checked(_ count: Int) throws(AudienceLogError) -> Int {
        guard count >= 0 else { throw .unreadable(name: name, reason: String(cString: strerror(errno))) }
        return count
    }
}
