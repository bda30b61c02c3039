/// Unsuccessful end of a command: its exit status and the message for the user.
package struct CommandFailure: Error {
    package var exit: PodswarmExit
    /// Includes the fix; several mistakes stand on lines of their own.
    package var message: String

    package init(_ exit: PodswarmExit, _ message: String) {
        self.exit = exit
        self.message = message
    }
}
