import Transport

/// Makes a value that is confined to a loop reachable from other threads.
///
/// `@unchecked Sendable`: each access checks that it is on the loop.
final class LoopBound<Value>: @unchecked Sendable {
    let loop: any WorkLoop
    private var confined: Value

    /// Call on the loop.
    init(_ value: Value, loop: any WorkLoop) {
        loop.assertOnLoop()
        self.loop = loop
        confined = value
    }

    var value: Value {
        get {
            loop.assertOnLoop()
            return confined
        }
        set {
            loop.assertOnLoop()
            confined = newValue
        }
    }

    /// Returns once the work has called its second argument.
    func wait(_ work: @escaping @Sendable (Value, _ done: @escaping () -> Void) -> Void) async {
        await withCheckedContinuation { continuation in
            loop.execute { work(self.value) { continuation.resume() } }
        }
    }

    func read<Result: Sendable>(_ body: @escaping @Sendable (Value) -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            loop.execute {
                continuation.resume(returning: body(self.value))
            }
        }
    }
}
