package import Foundation
import Results

extension ShardWatch {
    /// Follows the run to its end and writes its merged result into the folder `results`.
    ///
    /// Throws `CommandFailure` without a result.
    package func merged(by merge: ShardMerge, into results: URL) async throws -> PodswarmExit {
        let document: ResultDocument
        let exit: PodswarmExit
        do {
            let followed = try await follow()
            defer { followed.remove() }
            document = try merge.document(of: followed.sources, runID: runID, expected: followed.count).document
            exit = try merge.write(document, runID: runID, to: results).exit
        } catch {
            await live?.server.stop()
            throw error
        }
        await live?.end(document, output: output, requests: requests)
        output.verdict(document)
        return exit
    }
}
