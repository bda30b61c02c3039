/// Reads texts of `Sources/CTexts`.
enum TextTemplate {
    typealias Values = [String: [String]]

    /// At least one word each; the last one of `columns` has the rest of its line.
    static func rows(_ table: UnsafePointer<CChar>, columns: Int = .max) -> [[String]] {
        String(cString: table).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: " ", maxSplits: columns - 1).map(String.init) }
    }

    /// Fills a template, of the form that `draft.txt` describes.
    static func lines(_ template: UnsafePointer<CChar>, _ values: Values) -> [String] {
        func holds(_ condition: Substring) -> Bool {
            condition.hasPrefix("!") ? !holds(condition.dropFirst()) : values[String(condition)]?.isEmpty == false
        }
        return String(cString: template).split(separator: "\n").flatMap { line in
            guard let bar = line.firstIndex(of: "|"), !line.hasPrefix("#"),
                line[..<bar].split(separator: " ").allSatisfy(holds)
            else { return [String]() }
            return filled(line[bar...].dropFirst(2), values)
        }
    }

    private static func filled(_ line: Substring, _ values: Values) -> [String] {
        let pieces = line.split(separator: "<", omittingEmptySubsequences: false)
        return pieces.dropFirst().reduce([pieces.first.map(String.init) ?? ""]) { lines, piece in
            guard let end = piece.firstIndex(of: ">"), piece[..<end].allSatisfy(\.isLetter) else {
                return lines.map { "\($0)<\(piece)" }
            }
            let (given, rest) = (values[String(piece[..<end])] ?? [], piece[end...].dropFirst())
            return lines.flatMap { line in given.map { "\(line)\($0)\(rest)" } }
        }
    }
}

extension TextTemplate.Values {
    /// As a condition of the template.
    mutating func set(_ name: String, if holds: Bool = true) { self[name] = holds ? [""] : nil }
}
