import Foundation
import Rehearsal
import Results
import Swarm

/// A search that is ready to begin, alone or with other shards.
struct Search {
    let setup: SearchSetup
    let place: SearchPlace
    let output: RunOutput
    let anew: Bool
    let writesReport: Bool

    func run(requests: RunRequests) async throws -> CapacityDocument {
        var conduct = try SearchConduct(setup, place, output: output, anew: anew, writesReport: writesReport)
        var runs = OwnRuns(conduct.runs)
        return try await conduct.run(by: &runs, requests: requests)
    }

    /// Searches with other shards: shard 0 decides each run and returns the document, the others take part.
    func run(
        with party: SearchParty,
        requests: RunRequests
    ) async throws -> (exit: PodswarmExit, document: CapacityDocument?) {
        Preflight.raiseDescriptorLimit()
        return try await party.open().closed { place in
            let notes = SearchNotes(place: place)
            var setup = self.setup
            setup.question = try await party.agree(on: setup, notes: notes, requests: requests, output: output)
            guard party.isFirst else {
                let runs = RunsOfSearch(
                    setup: setup,
                    place: self.place,
                    folder: self.place.folder.appending(path: party.folderName),
                    searchID: party.mark.runID,
                    output: output,
                    writesReport: false
                )
                let followed = FollowedRuns(runs: runs, party: party, notes: notes)
                return (try await followed.follow(requests: requests), nil)
            }
            var conduct = try SearchConduct(
                setup,
                self.place,
                output: output,
                anew: anew,
                writesReport: writesReport,
                shards: party.mark.count
            )
            var runs = LedRuns(conduct.runs, party: party, notes: notes)
            let document = try await conduct.run(by: &runs, requests: requests)
            return (document.exit, document)
        }
    }
}
