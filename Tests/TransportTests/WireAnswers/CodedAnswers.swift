import Rulebook

@testable import Transport

extension WireAnswer {
    // The text "live playlist, live playlist\n", coded.
    private static let gzip = "1f8b0800000000000203cbc92c4b5528c849acccc92c2ed151c841e67201000f5953f61d000000"
    private static let namedGzip =
        "1f8b08080000000002ff6c6976652e6d33753800cbc92c4b5528c849acccc92c2ed151c841e67201000f5953f61d000000"
    private static let zlib = "78dacbc92c4b5528c849acccc92c2ed151c841e6720100a5f90adb"
    private static let rawDeflate = "cbc92c4b5528c849acccc92c2ed151c841e6720100"
    private static let zlibOfGzip =
        "78da93efe660000126e6d32775bc43354e78ae39735247ef62e009c767458c0cfc91c1df6481d200e5c60c3e"
    private static let gzipOfGzip =
        "1f8b080000000000020393efe660000126e6d32775bc43354e78ae39735247ef62e009c767458c0c"
        + "fc91c1df6481d2000004882c27000000"
    private static let emptyGzip = "1f8b080000000000020303000000000000000000"
    private static let brotliOfHello = "0b028068656c6c6f03"
    private static let zstdOfHello = "28b52ffd045829000068656c6c6fa36d9f88"

    private static func coded(_ coding: String, _ hex: String, status: String = "200 OK") -> [UInt8] {
        let count = [UInt8](hex: hex).count
        return answer("HTTP/1.1 \(status)\r\nContent-Encoding: \(coding)\r\nContent-Length: \(count)\r\n\r\n", hex: hex)
    }

    private static func coded(lines: String, _ hex: String) -> [UInt8] {
        answer("HTTP/1.1 200 OK\r\n\(lines)\r\nContent-Length: \([UInt8](hex: hex).count)\r\n\r\n", hex: hex)
    }

    private static func chunkedAndCoded(_ coding: String, _ pieces: [String]) -> [UInt8] {
        let head = "HTTP/1.1 200 OK\r\n\(coding)\r\n\r\n"
        let chunks = pieces.map { piece in
            Array((String([UInt8](hex: piece).count, radix: 16) + "\r\n").utf8) + [UInt8](hex: piece)
                + Array("\r\n".utf8)
        }
        return Array(head.utf8) + chunks.joined() + Array("0\r\n\r\n".utf8)
    }

    /// Content codings (RFC 9110 section 8.4).
    static let coded: [WireAnswer] = [
        WireAnswer("gzip", coded("gzip", gzip)),
        WireAnswer("x-gzip in capitals", coded("X-GZIP", gzip)),
        WireAnswer("gzip with a file name", coded("gzip", namedGzip)),
        WireAnswer("gzip of nothing", coded("gzip", emptyGzip)),
        WireAnswer("gzip without a body", coded("gzip", "")),
        WireAnswer("gzip of a 404", coded("gzip", gzip, status: "404 Not Found")),
        WireAnswer(
            "gzip until the end",
            answer("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", hex: gzip),
            closes: true
        ),
        WireAnswer("gzip stops early", coded("gzip", String(gzip.dropLast(20)))),
        WireAnswer("gzip without its check", coded("gzip", String(gzip.dropLast(16)))),
        WireAnswer("gzip of a header only", coded("gzip", String(gzip.prefix(20)))),
        WireAnswer("gzip with a wrong check", coded("gzip", String(gzip.dropLast(16)) + "0f5953f71d000000")),
        WireAnswer("gzip with a wrong length", coded("gzip", String(gzip.dropLast(2)) + "01")),
        WireAnswer("gzip in two members", coded("gzip", gzip + gzip)),
        WireAnswer("gzip in three members", coded("gzip", gzip + emptyGzip + gzip)),
        WireAnswer("gzip in two members, the second cut off", coded("gzip", gzip + gzip.dropLast(2))),
        WireAnswer("gzip and a byte", coded("gzip", gzip + "00")),
        WireAnswer("gzip and the first byte of a member", coded("gzip", gzip + "1f")),
        WireAnswer("gzip that is none", coded("gzip", "6162636465")),
        WireAnswer("gzip that is zlib", coded("gzip", zlib)),
        WireAnswer("gzip that is raw deflate", coded("gzip", rawDeflate)),
        WireAnswer("gzip of a bad method", coded("gzip", "1f8b0700000000000203cbc92c4b5528")),
        WireAnswer("gzip of a bad block", coded("gzip", "1f8b08000000000002ffff")),
        WireAnswer(
            "gzip cut off",
            answer(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 39\r\n\r\n",
                hex: String(gzip.dropLast(20))
            ),
            closes: true
        ),
        WireAnswer("deflate with a zlib header", coded("deflate", zlib)),
        WireAnswer("deflate raw", coded("deflate", rawDeflate)),
        WireAnswer("deflate raw and four bytes", coded("deflate", rawDeflate + "01020304")),
        WireAnswer("deflate raw and five bytes", coded("deflate", rawDeflate + "0102030405")),
        WireAnswer("deflate and a byte", coded("deflate", zlib + "00")),
        WireAnswer("deflate with a wrong check", coded("deflate", String(zlib.dropLast(2)) + "da")),
        WireAnswer("deflate stops early", coded("deflate", String(zlib.dropLast(16)))),
        WireAnswer("deflate of one byte", coded("deflate", "78")),
        WireAnswer("deflate that is gzip", coded("deflate", gzip)),
        WireAnswer("deflate that is none", coded("deflate", "ffffffff")),
        WireAnswer("deflate with a dictionary", coded("deflate", "78f923f50543cb41e6e828a070b900a5f90adb")),
        WireAnswer("identity", coded("identity", "6869")),
        WireAnswer("none", coded("none", "6869")),
        WireAnswer("no coding named", coded(" , ", "6869")),
        WireAnswer("gzip among identity", coded("identity, gzip, identity", gzip)),
        WireAnswer("gzip twice", coded("gzip, gzip", gzipOfGzip)),
        WireAnswer("gzip, then deflate", coded("gzip, deflate", zlibOfGzip)),
        WireAnswer("two headers", coded(lines: "Content-Encoding: gzip\r\nContent-Encoding: deflate", zlibOfGzip)),
        WireAnswer("gzip, then deflate, in disorder", coded("deflate, gzip", zlibOfGzip)),
        WireAnswer("five codings", coded("identity,identity,identity,identity,gzip", gzip)),
        WireAnswer("six codings", coded("identity,identity,identity,identity,identity,gzip", gzip)),
        WireAnswer("a coding with a parameter", coded("gzip;q=1", gzip)),
        WireAnswer("unknown coding", coded("compress", "1f9d90")),
        WireAnswer("unknown coding without a body", coded("odd", "")),
        WireAnswer("unknown coding beneath gzip", coded("odd, gzip", gzip)),
        WireAnswer("brotli", coded("br", brotliOfHello)),
        WireAnswer("zstd", coded("zstd", zstdOfHello)),
        WireAnswer(
            "gzip in chunks",
            chunkedAndCoded(
                "Content-Encoding: gzip\r\nTransfer-Encoding: chunked",
                [String(gzip.prefix(22)), String(gzip.dropFirst(22))]
            )
        ),
        WireAnswer(
            "gzip in two members in chunks",
            chunkedAndCoded(
                "Content-Encoding: gzip\r\nTransfer-Encoding: chunked",
                [gzip, gzip]
            )
        ),
        WireAnswer("gzip as a transfer coding", chunkedAndCoded("Transfer-Encoding: gzip, chunked", [gzip])),
        WireAnswer(
            "gzip as a transfer coding until the end",
            answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", hex: gzip),
            closes: true
        ),
        WireAnswer(
            "a content coding in a transfer coding",
            chunkedAndCoded(
                "Transfer-Encoding: deflate\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip",
                [zlibOfGzip]
            )
        ),
    ]
}
