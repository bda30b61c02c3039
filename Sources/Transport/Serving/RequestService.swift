struct RequestService: Sendable {
    let respond: HTTPListener.Responder
    let executor: (any TaskExecutor)?
    let bodyLimit: Int
    let connections: OpenConnections

    /// Answers a request in a task of its own, counted until it ends.
    func serve(_ request: ServedRequest) -> Task<Void, Never> {
        connections.taskBegan()
        return Task(executorPreference: executor) {
            do {
                try await respond(request)
                request.finished(isFailed: false)
            } catch {
                request.finished(isFailed: true)
            }
            connections.taskEnded()
        }
    }
}
