private import Benchmarks

@main
enum Main {
    static func main() { BenchmarksCommand.main() }
}
