import HTTPTypes
import NIOCore

struct RequestTurn {
    enum Answer {
        case none
        case begun
        case ended
    }

    private enum Body {
        case coming(ByteBuffer)
        case whole(ByteBuffer)
        case tooLarge
    }

    private enum Waiter {
        case body((Result<ByteBuffer, any Error>) -> Void)
        case room((Result<Void, any Error>) -> Void)
    }

    let number: UInt64
    let isLast: Bool
    let keepsBody: Bool
    var answer = Answer.none
    private(set) var isRead = false
    /// A client that closes its side counts as gone.
    var endsWithInput = false
    var task: Task<Void, Never>?
    private var body = Body.coming(ByteBuffer())
    /// A task makes one call at a time.
    private var waiter: Waiter?

    init(number: UInt64, isLast: Bool, keepsBody: Bool) {
        self.number = number
        self.isLast = isLast
        self.keepsBody = keepsBody
    }

    mutating func receive(_ bytes: ByteBuffer, atMost limit: Int) {
        guard keepsBody, case .coming(var held) = body else { return }
        if held.readableBytes + bytes.readableBytes > limit {
            body = .tooLarge
            tellOfBody()
        } else if held.readableBytes == 0 {
            body = .coming(bytes)
        } else {
            body = .coming(ByteBuffer())
            held.writeImmutableBuffer(bytes)
            body = .coming(held)
        }
    }

    mutating func receiveEnd() {
        isRead = true
        guard case .coming(let held) = body else { return }
        body = .whole(held)
        tellOfBody()
    }

    mutating func whenBodyIsRead(_ tell: @escaping (Result<ByteBuffer, any Error>) -> Void) {
        guard waiter == nil else { return tell(.failure(ChannelError.operationUnsupported)) }
        waiter = .body(tell)
        tellOfBody()
    }

    mutating func whenThereIsRoom(_ tell: @escaping (Result<Void, any Error>) -> Void) {
        guard waiter == nil else { return tell(.failure(ChannelError.operationUnsupported)) }
        waiter = .room(tell)
    }

    mutating func takeRoomWaiter() -> ((Result<Void, any Error>) -> Void)? {
        guard case .room(let tell) = waiter else { return nil }
        waiter = nil
        return tell
    }

    /// The closure fails the waiter and cancels the task.
    mutating func takeEnd() -> (any Error) -> Void {
        let (waiter, task) = (waiter, task)
        self.waiter = nil
        return { error in
            switch waiter {
            case .body(let tell): tell(.failure(error))
            case .room(let tell): tell(.failure(error))
            case nil: break
            }
            task?.cancel()
        }
    }

    private mutating func tellOfBody() {
        guard case .body(let tell) = waiter else { return }
        switch body {
        case .coming: return
        case .whole(let bytes): tell(.success(bytes))
        case .tooLarge: tell(.failure(BodyTooLarge()))
        }
        waiter = nil
    }
}
