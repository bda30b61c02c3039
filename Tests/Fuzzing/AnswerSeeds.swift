import Foundation

// Run by `.ci/fuzz answer`, which compiles it with the table of wire answers: writes a seed for the fuzzer of each.

@main
enum AnswerSeeds {
    static func main() throws {
        let directory = URL(fileURLWithPath: CommandLine.arguments[1])
        for (index, answer) in WireAnswer.all.enumerated() {
            // The fuzzer's choices and the seed of its splits come before the answer.
            let choices: UInt8 = answer.closes ? 9 : 8
            let seed = [choices, UInt8(truncatingIfNeeded: index), 7, 5, 3]
            try Data(seed + answer.bytes).write(to: directory.appendingPathComponent("table-\(index)"))
        }
    }
}
