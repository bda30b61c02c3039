/// An end that is not a success, with its exit status and what to tell the person.
struct CommandFailure: Error {
    var exit: PodswarmExit
    var message: String

    init(_ exit: PodswarmExit, _ message: String) {
        self.exit = exit
        self.message = message
    }
}
