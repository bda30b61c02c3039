/// The peers' addresses of one transport's connections, numbered; the text of each is made once.
///
/// Confined to its loop.
package final class RemoteAddresses {
    /// No address; also of one that comes when all numbers are given.
    package static let none: UInt16 = 0

    private var texts = [""]
    private var numbers: [String: UInt16] = [:]

    package init() {}

    /// The number of an address in the form of `SocketAddress.text`; 0 for none.
    package func number(of text: String) -> UInt16 {
        guard !text.isEmpty else { return Self.none }
        if let known = numbers[text] { return known }
        guard let next = UInt16(exactly: texts.count) else { return Self.none }
        texts.append(text)
        numbers[text] = next
        return next
    }

    /// Empty for none.
    package func text(_ number: UInt16) -> String { Int(number) < texts.count ? texts[Int(number)] : "" }
}
