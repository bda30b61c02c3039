/// Run time of the threads of one process, and their waiting time for a core, in one second.
///
/// For a longer interval, the means per second; a shorter one counts as a whole second.
package struct CoreWait: Equatable, Codable, Sendable {
    /// Over all threads.
    package var ranMicroseconds: Int64
    /// Over all threads; 1,000,000 is one thread that waited all the time.
    package var waitedMicroseconds: Int64
    package var threadWaitedMicroseconds: Int64

    package init(ranMicroseconds: Int64, waitedMicroseconds: Int64, threadWaitedMicroseconds: Int64) {
        self.ranMicroseconds = ranMicroseconds
        self.waitedMicroseconds = waitedMicroseconds
        self.threadWaitedMicroseconds = threadWaitedMicroseconds
    }
}
