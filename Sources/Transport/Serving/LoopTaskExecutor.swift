package import NIOCore

/// Runs tasks on one event loop's thread, so that a request never changes threads between its socket and its answer.
///
/// The loop must outlive the tasks: jobs enqueued after its end are lost.
package final class LoopTaskExecutor: TaskExecutor {
    private let eventLoop: any NIOCore.EventLoop

    package init(_ eventLoop: any NIOCore.EventLoop) {
        self.eventLoop = eventLoop
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
