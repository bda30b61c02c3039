/// The addresses that connections of one transport lead to, by small numbers: each is put into words once.
///
/// Confined to its loop.
package final class RemoteAddresses {
    /// No address; also of one that comes when all numbers are given.
    package static let none: UInt16 = 0

    private var texts = [""]
    private var numbers: [String: UInt16] = [:]

    package init() {}

    /// The number of an address as `SocketAddress.text` spells it; 0 for none.
    package func number(of text: String) -> UInt16 {
        guard !text.isEmpty else { return Self.none }
        if let known = numbers[text] { return known }
        guard let next = UInt16(exactly: texts.count) else { return Self.none }
        texts.append(text)
        numbers[text] = next
        return next
    }

    /// The address of a number; empty for none.
    package func text(_ number: UInt16) -> String { Int(number) < texts.count ? texts[Int(number)] : "" }
}
