/// An end that is not a success, with its exit status and what to tell the person.
package struct CommandFailure: Error {
    package var exit: PodswarmExit
    /// With the fix; several mistakes in lines of their own.
    package var message: String

    package init(_ exit: PodswarmExit, _ message: String) {
        self.exit = exit
        self.message = message
    }
}
