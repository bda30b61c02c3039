extension CommandLineMistake {
    private static let other = "{folder}/other.json"

    static let comparisons = [
        CommandLineMistake(["compare", "--against", other], says: "Missing expected argument '<base>"),
        CommandLineMistake(["compare", other], says: "Missing expected argument '--against"),
        CommandLineMistake(["compare", other, "--against"], says: "Missing value for '--against"),
        CommandLineMistake(
            ["compare", "{folder}/missing.json", "--against", other],
            says: "missing.json: no such file or folder"
        ),
        CommandLineMistake(["compare", other, "--against", other], says: "its schema is 'other'"),
        CommandLineMistake(["compare", "{folder}/empty.json", "--against", other], says: "not a podswarm result"),
        CommandLineMistake(["compare", "{folder}/garbage.json", "--against", other], says: "not a podswarm result"),
        CommandLineMistake(["compare", "{folder}/object.json", "--against", other], says: "schema is missing"),
        CommandLineMistake(["compare", "label:release", "--against", other], says: "write label:NAME=VALUE"),
        CommandLineMistake(
            ["compare", "label:release=1", "--against", other, "--results", "{folder}"],
            says: "has this label"
        ),
        CommandLineMistake(
            ["compare", "label:release=1", "--against", other, "--results", "{folder}/missing"],
            says: "no such folder to look for label:release=1 in"
        ),
        CommandLineMistake(
            ["compare", other, "--against", other, "--gate", "playlst.response.p99"],
            says: "did you mean 'playlist.response.p99'?"
        ),
        CommandLineMistake(
            ["compare", other, "--against", other, "--gate", "breaks.on_time"],
            says: "are always judged"
        ),
        CommandLineMistake(
            ["compare", other, "--against", other, "--margin", "playlist.response.p99"],
            says: "write METRIC=PERCENT"
        ),
        CommandLineMistake(
            ["compare", other, "--against", other, "--margin", "playlist.response.p99=-3"],
            says: "'-3' is no margin in percent"
        ),
        CommandLineMistake(["compare", other, "--against", other, "--floor", "soon"], says: "'soon' is no duration"),
        CommandLineMistake(["compare", other, "--against", other, "--tolerance=-1"], says: "--tolerance must be"),
        CommandLineMistake(
            ["compare", other, "--against", other, "--allow-different", "hots"],
            says: "did you mean 'host'?"
        ),
        CommandLineMistake(
            ["compare", other, "--against", other, "--json", "-", "--markdown", "-"],
            says: "can go to standard output"
        ),
    ]
}
