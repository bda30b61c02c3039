import COpenSSL
import NIOCore

/// OpenSSL's memory BIO would keep the largest buffer that a connection ever needed, and copy each byte once more.
final class TLSBytes {
    private var received = ByteBuffer()
    private var produced = ByteBuffer()

    func receive(_ bytes: ByteBuffer) {
        if received.readableBytes == 0 {
            received = bytes
        } else {
            received.writeImmutableBuffer(bytes)
        }
    }

    func reserve(_ count: Int, from allocator: ByteBufferAllocator) {
        if produced.capacity == 0 {
            produced = allocator.buffer(capacity: count)
        } else {
            produced.reserveCapacity(minimumWritableBytes: count)
        }
    }

    func takeProduced() -> ByteBuffer? {
        guard produced.readableBytes > 0 else { return nil }
        defer { produced = ByteBuffer() }
        return produced
    }

    /// The BIO must not outlive this object.
    func newBIO(_ method: OpaquePointer) -> OpaquePointer? {
        guard let bio = BIO_new(method) else { return nil }
        BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        BIO_set_init(bio, 1)
        return bio
    }

    /// Functions of the BIOs (BIO_meth_new(3)); nil without memory.
    static func newMethod() -> OpaquePointer? {
        guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "podswarm") else { return nil }
        BIO_meth_set_write(method) { bio, bytes, count in
            guard let bytes, let owner = TLSBytes.owner(of: bio) else { return -1 }
            owner.produced.writeBytes(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            return count
        }
        BIO_meth_set_read(method) { bio, bytes, count in
            guard let bytes, let owner = TLSBytes.owner(of: bio) else { return -1 }
            podswarm_bio_clear_retry(bio)
            let taken = owner.take(into: UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)))
            guard taken > 0 else {
                podswarm_bio_retry_read(bio)
                return -1
            }
            return Int32(clamping: taken)
        }
        BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        return method
    }

    private static func owner(of bio: OpaquePointer?) -> TLSBytes? {
        BIO_get_data(bio).map { Unmanaged<TLSBytes>.fromOpaque($0).takeUnretainedValue() }
    }

    private func take(into target: UnsafeMutableRawBufferPointer) -> Int {
        let count = received.readWithUnsafeReadableBytes { bytes in
            let count = min(bytes.count, target.count)
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
            return count
        }
        // Releases the network's buffer.
        if received.readableBytes == 0 { received = ByteBuffer() }
        return count
    }
}

struct PlaintextWrite {
    var bytes: ByteBuffer
    let promise: EventLoopPromise<Void>?
}

/// Plaintext to encrypt; the mark stands where it was flushed.
extension MarkedCircularBuffer<PlaintextWrite> {
    /// One record of flushed plaintext: joined small writes, or a part of a large one; `promises` gets those of writes that end
    /// in it.
    mutating func takeRecord(of length: Int, promises: inout [EventLoopPromise<Void>]) -> ByteBuffer {
        var record = takeSlice(of: length, &promises)
        while record.readableBytes < length, hasMark {
            let next = takeSlice(of: length - record.readableBytes, &promises)
            if record.readableBytes == 0 {
                record = next
            } else {
                record.writeImmutableBuffer(next)
            }
        }
        return record
    }

    mutating func fail(_ error: any Error) { while let write = popFirst() { write.promise?.fail(error) } }

    private mutating func takeSlice(of length: Int, _ promises: inout [EventLoopPromise<Void>]) -> ByteBuffer {
        guard var first else { return ByteBuffer() }
        if first.bytes.readableBytes > length, let slice = first.bytes.readSlice(length: length) {
            self[startIndex] = first
            return slice
        }
        _ = popFirst()
        if let promise = first.promise { promises.append(promise) }
        return first.bytes
    }
}
