import Foundation

// Run by `.ci/fuzz http2`, which compiles it with the table of conversations: writes a seed for the fuzzer of each.

@main
enum HTTP2Seeds {
    static func main() throws {
        let directory = URL(fileURLWithPath: CommandLine.arguments[1])
        for (index, conversation) in Conversation.all.enumerated() {
            let choices =
                UInt8(truncatingIfNeeded: conversation.outcomes.count - 1) | UInt8(truncatingIfNeeded: index) << 2
            try Data([choices] + conversation.bytes).write(to: directory.appendingPathComponent("table-\(index)"))
        }
    }
}
