/// A page of metrics, read back independently of what wrote it.
struct Exposition {
    struct Sample {
        var name: String
        var labels: [String: String]
        var value: Double
    }

    struct Unreadable: Error {
        let line: String
    }

    private(set) var samples: [Sample] = []
    private(set) var types: [String: String] = [:]

    init(_ text: String) throws {
        for line in text.split(separator: "\n") {
            if line.hasPrefix("# TYPE ") {
                let words = line.split(separator: " ")
                guard words.count == 4, types[String(words[2])] == nil else { throw Unreadable(line: String(line)) }
                types[String(words[2])] = String(words[3])
            } else if line.hasPrefix("# HELP ") {
                // A family without a row in words.txt has its name as help.
                let words = line.split(separator: " ").dropFirst(2)
                guard words.count > 1, words.dropFirst().joined(separator: "_") != words.first ?? "" else {
                    throw Unreadable(line: String(line))
                }
            } else if !line.hasPrefix("#") {
                samples.append(try Self.sample(line))
            }
        }
    }

    var names: Set<String> { Set(samples.map(\.name)) }

    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        let found = samples.filter { $0.name == name && $0.labels == labels }
        return found.count == 1 ? found[0].value : nil
    }

    func sum(_ name: String) -> Double { samples.filter { $0.name == name }.reduce(0) { $0 + $1.value } }

    private static func sample(_ line: Substring) throws -> Sample {
        guard let end = line.lastIndex(of: " "), let value = Double(line[line.index(after: end)...]) else {
            throw Unreadable(line: String(line))
        }
        let head = line[..<end]
        guard let brace = head.firstIndex(of: "{") else { return Sample(name: String(head), labels: [:], value: value) }
        guard head.last == "}" else { throw Unreadable(line: String(line)) }
        var labels: [String: String] = [:]
        var rest = head[head.index(after: brace)...].dropLast()
        while let equals = rest.firstIndex(of: "=") {
            let name = String(rest[..<equals])
            rest = rest[rest.index(equals, offsetBy: 2)...]
            var text = ""
            while let next = rest.popFirst(), next != "\"" {
                guard next == "\\", let escaped = rest.popFirst() else {
                    text.append(next)
                    continue
                }
                text.append(escaped == "n" ? "\n" : escaped)
            }
            guard labels.updateValue(text, forKey: name) == nil else { throw Unreadable(line: String(line)) }
            if rest.first == "," { rest.removeFirst() }
        }
        return Sample(name: String(head[..<brace]), labels: labels, value: value)
    }
}
