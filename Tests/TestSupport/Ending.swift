/// Runs a body, and ends what it used whatever became of it.
package func ending<Outcome>(
    _ end: () async throws -> Void,
    after body: () async throws -> Outcome
) async throws -> Outcome {
    let outcome: Result<Outcome, any Error>
    do {
        outcome = .success(try await body())
    } catch {
        outcome = .failure(error)
    }
    try await end()
    return try outcome.get()
}
