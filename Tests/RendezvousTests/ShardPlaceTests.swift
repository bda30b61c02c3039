import Results
import Testing

@Suite struct ShardPlaceTests {
    @Test(
        arguments: [
            ("0/4", [:], 0, 4), ("3/4", ["SLURM_PROCID": "1", "SLURM_NTASKS": "2"], 3, 4),
            (nil, ["SLURM_PROCID": "1", "SLURM_NTASKS": "2"], 1, 2), ("/5", ["JOB_COMPLETION_INDEX": "4"], 4, 5),
            (nil, ["JOB_COMPLETION_INDEX": "0", "PODSWARM_SHARDS": "3"], 0, 3),
            (nil, ["PMI_RANK": "2", "PMI_SIZE": "3"], 2, 3),
            ("0/", ["OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "6"], 0, 6),
        ] as [(String?, [String: String], Int, Int)]
    )
    func itIsToldByTheUserOrTheScheduler(text: String?, environment: [String: String], index: Int, count: Int) throws {
        let place = try ShardMark.place(text, environment: environment)
        #expect(place.index == index && place.count == count)
    }

    @Test(
        arguments: [
            (nil, [:], "no scheduler says which shard this is"), ("0/", [:], "such as --shard 0/4"),
            (nil, ["JOB_COMPLETION_INDEX": "0"], "such as --shard /4, or with PODSWARM_SHARDS"),
            ("/4", ["JOB_COMPLETION_INDEX": "5"], "JOB_COMPLETION_INDEX=5 with --shard /4 says"),
            (nil, ["SLURM_PROCID": "2", "SLURM_NTASKS": "2"], "SLURM_PROCID=2 and SLURM_NTASKS=2 say"),
            ("5/4", ["SLURM_PROCID": "1", "SLURM_NTASKS": "2"], "--shard 5/4: it is i/n"),
        ] as [(String?, [String: String], String)]
    )
    func whoeverIsWrongIsNamed(text: String?, environment: [String: String], words: String) {
        #expect { try ShardMark.place(text, environment: environment) } throws: { "\($0)".contains(words) }
    }

    @Test(arguments: [("x", true), ("nightly-17_3.a", true), ("", false), (".x", false), ("a/b", false), ("ü", false)])
    func aRunIDIsAFileName(text: String, isOne: Bool) {
        #expect(ShardMeeting.isRunID(text) == isOne)
        #expect(!ShardMeeting.isRunID(text + String(repeating: "x", count: 81)))
    }

    @Test(
        arguments: [
            ("4/4", [:]), ("-1/4", [:]), ("1", [:]), ("a/b", [:]), ("0/0", [:]), ("1/2/3", [:]), ("0/10001", [:]),
            (nil, [:]),
            ("/4", [:]), (nil, ["JOB_COMPLETION_INDEX": "0"]), (nil, ["SLURM_PROCID": "x", "SLURM_NTASKS": "2"]),
            ("", [:]),
            ("0/99999999999999999999", [:]),
        ] as [(String?, [String: String])]
    )
    func whatIsNoneIsRefused(text: String?, environment: [String: String]) {
        #expect(throws: RendezvousError.self) { try ShardMark.place(text, environment: environment) }
    }
}
