/// How long the threads of one process ran, and how long they waited for a core, over one second.
///
/// Of a longer interval these are the means per second; a shorter one counts as a whole second.
package struct CoreWait: Equatable, Codable, Sendable {
    /// Of all threads together.
    package var ranMicroseconds: Int64
    /// Of all threads together; 1,000,000 is one thread that waited all the time.
    package var waitedMicroseconds: Int64
    /// Of the thread that waited longest.
    package var threadWaitedMicroseconds: Int64

    package init(ranMicroseconds: Int64, waitedMicroseconds: Int64, threadWaitedMicroseconds: Int64) {
        self.ranMicroseconds = ranMicroseconds
        self.waitedMicroseconds = waitedMicroseconds
        self.threadWaitedMicroseconds = threadWaitedMicroseconds
    }
}
