/// The members of a JSON object, in the order in which they stand there.
///
/// They lie in no hash table: names that collide in one would be somebody else's choice. To look one up takes a time that
/// grows with their number; who looks up many goes through all of them once instead.
package struct JSONObject: Equatable, Sendable {
    package struct Member: Equatable, Sendable {
        package var name: String
        package var value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// A name may stand there several times.
    package var all: [Member]

    package init(_ members: [Member] = []) {
        all = members
    }

    /// The first member of that name, byte by byte; nil where there is none.
    package subscript(_ name: String) -> JSONValue? {
        for member in all where member.name.utf8.count == name.utf8.count && member.name.utf8.elementsEqual(name.utf8) {
            return member.value
        }
        return nil
    }
}
