import BodyCoding
import Glibc
import Rulebook

/// A file of a log, or standard input, as bytes that are unpacked where they are packed.
final class LogFile {
    static let standardInput = "-"

    private static let plainBytes = 1 << 18
    /// Unpacked they are a thousand times as many at most.
    private static let packedBytes = 1 << 14
    private static let gzipMark: [UInt8] = [0x1F, 0x8B]

    private enum Packing {
        case unknown
        case none
        case gzip(ContentDecoder)
    }

    let name: String
    /// Of a file that has a size.
    let size: Int?
    private let descriptor: Int32
    private var packing = Packing.unknown

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
    /// - Returns: How many bytes of the file were read; 0 at its end.
    /// - Throws: Why it cannot be read on.
    func fill(_ buffer: LineBuffer) throws(AudienceLogError) -> Int {
        switch packing {
        case .unknown: return try begin(buffer)
        case .none:
            return try checked(buffer.append(atMost: Self.plainBytes) { self.read($0, $1) })
        case .gzip(let decoder):
            return try withUnsafeTemporaryAllocation(byteCount: Self.packedBytes, alignment: 16) { piece in
                Result { () throws(AudienceLogError) in
                    let count = try checked(read(piece.baseAddress, piece.count))
                    try unpack(LineBytes(rebasing: piece[..<count]), decoder, buffer)
                    return count
                }
            }
            .get()
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
        let packed = Array(buffer.bytes)
        buffer.removeAll()
        var problem: AudienceLogError?
        packed.withUnsafeBytes { bytes in
            do throws(AudienceLogError) { try unpack(bytes, decoder, buffer) } catch { problem = error }
        }
        if let problem { throw problem }
        return read
    }

    private func unpack(_ bytes: LineBytes, _ decoder: ContentDecoder, _ buffer: LineBuffer) throws(AudienceLogError) {
        let failure = decoder.decode(bytes) { unpacked in
            buffer.append(unpacked)
            return nil
        }
        guard failure == nil else { throw .unreadable(name: name, reason: "what is packed in it is damaged") }
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
