import NIOCore
import Synchronization

/// Runs tasks on one event loop's thread, so that a request never changes threads between its socket and its answer.
final class LoopTaskExecutor: TaskExecutor {
    private let eventLoop: any EventLoop
    private let isLeaving = Atomic(false)

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        // Connections that nobody waited for still end: a loop that is gone would lose what their tasks have left to do.
        guard !isLeaving.load(ordering: .acquiring) else {
            globalConcurrentExecutor.enqueue(job)
            return
        }
        let job = UnownedJob(job)
        eventLoop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Sends what comes from now on to the shared pool; to be called before the loop is shut down.
    func leave() { isLeaving.store(true, ordering: .releasing) }
}
