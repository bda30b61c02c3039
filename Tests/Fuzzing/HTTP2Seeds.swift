import Foundation

// Run by `.ci/fuzz http2`: writes a seed for the fuzzer of each conversation that the tests have in a file.

@main
enum HTTP2Seeds {
    static func main() throws {
        let directory = URL(fileURLWithPath: CommandLine.arguments[1])
        let conversations = "Tests/HTTP2Tests/Conversations"
        let paths = FileManager.default.enumerator(atPath: conversations)?.compactMap { $0 as? String } ?? []
        for (index, path) in paths.filter({ $0.hasSuffix(".frames") }).sorted().enumerated() {
            let text = try String(contentsOfFile: "\(conversations)/\(path)", encoding: .utf8)
            let expected = text.split(separator: "\n").drop { $0 != "# expected:" }.dropFirst()
            let requests = expected.count { !$0.hasPrefix("# violation") }
            let choices = UInt8(truncatingIfNeeded: requests - 1) | UInt8(truncatingIfNeeded: index) << 2
            try Data([choices] + FrameText.bytes(text)).write(to: directory.appendingPathComponent("table-\(index)"))
        }
    }
}
