package import ArgumentParser
import Tools

/// `podswarm audience`: derives an audience from the access logs of a channel.
package struct AudienceCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "audience",
        abstract: "Make an audience of the logs of a channel, for a profile to name.",
        discussion: """
            Reads access logs in the combined format (nginx, Apache httpd), CloudFront's, JSON lines (DataStream 2, Fastly, \
            nginx) and HTTP archives, packed with gzip or not, in any order, and writes who came and left when, with which \
            players, how long they stayed, how often they polled, and who asked for ads in which break. Addresses, cookies \
            and sessions are only hashed, and leave it in no form.

              podswarm audience access.log.1.gz access.log --output final-audience.yaml
              zcat E123.*.gz | podswarm audience - --from 2026-11-23T19:45:00Z --to 2026-11-23T22:15:00Z --json

            A profile names what was written: audience: {file: final-audience.yaml}.

            Exit status: 0 written; 2 bad arguments, a log that cannot be read, or one that says of nobody that he watches; \
            70 a defect of podswarm.
            """
    )

    @Argument(help: "A log, or - for standard input; may be repeated.")
    var log: [String]

    @Option(help: .value("file", "Where the audience goes; standard output if left out."))
    var output: String?

    @Flag(help: "Write JSON with all figures instead of YAML for a profile.")
    var json = false

    @OptionGroup var reading: AudienceReadingOptions

    package init() {}

    package func run() throws {
        let figures = try reading.figures(of: log)
        let place = output ?? OutputPlace.standardOutput
        if json {
            try OutputPlace.write(OutputPlace.rendered(place) { try figures.json() }, to: place)
        } else {
            try OutputPlace.write(AudienceYAML(figures).text(), to: place)
        }
        guard place != OutputPlace.standardOutput else { return }
        let width = StandardStream.output.width
        StandardStream.output.write(AudienceText(figures, width: width).render() + "\n\(place)\n")
    }
}
