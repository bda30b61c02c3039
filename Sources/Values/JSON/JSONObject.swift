/// Members of a JSON object in their order.
///
/// A list instead of a hash table: a hostile document could choose names that collide. A lookup takes time linear in the number
/// of members; to look up many, iterate once instead.
package struct JSONObject: Equatable, Sendable {
    package struct Member: Equatable, Sendable {
        package var name: String
        package var value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    package var all: [Member]

    package init(_ members: [Member] = []) {
        all = members
    }

    /// First member of that name, compared byte by byte.
    package subscript(_ name: String) -> JSONValue? {
        for member in all where member.name.utf8.count == name.utf8.count && member.name.utf8.elementsEqual(name.utf8) {
            return member.value
        }
        return nil
    }
}
