#!/usr/bin/env bash
# One night: recover what an earlier night lost, soak, report, look at the trend, compare this week with last week, keep the
# last results.
#
#   nightly.sh PROFILE [ARGUMENT OF podswarm soak]...
#
# What can be set in the environment, with what holds otherwise:
#   PODSWARM=podswarm                 the executable
#   PODSWARM_STATE=/var/lib/podswarm  results/ and reports/ are made in it
#   PODSWARM_FOR=8h                   how long to soak
#   PODSWARM_KEEP=30                  results kept of a profile
#   PODSWARM_WEEK=7                   nights on each side of the comparison; 0 compares nothing, with no trend either
#   PODSWARM_UNDECIDED=3              exit status where the comparison decides nothing
#   PODSWARM_TEXTFILE=                folder of the node exporter's textfile collector; what the night came to is put there
#
# Exit status: that of the soak where it is not 0; otherwise 1 where the night is worse than the trend, else that of the
# comparison (0 until there are two weeks to compare); 75 where the night before is still going on.
set -euo pipefail

if [ $# -lt 1 ]; then
    echo "usage: nightly.sh PROFILE [ARGUMENT OF podswarm soak]..." >&2
    exit 2
fi
profile=$1
shift
podswarm=${PODSWARM:-podswarm}
state=${PODSWARM_STATE:-/var/lib/podswarm}
duration=${PODSWARM_FOR:-8h}
keep=${PODSWARM_KEEP:-30}
week=${PODSWARM_WEEK:-7}
undecided=${PODSWARM_UNDECIDED:-3}
textfile=${PODSWARM_TEXTFILE:-}
results=$state/results
reports=$state/reports

say() { printf 'nightly: %s\n' "$1" >&2; }

for number in "$keep" "$week" "$undecided"; do
    case $number in
    '' | *[!0-9]*)
        say "PODSWARM_KEEP, PODSWARM_WEEK and PODSWARM_UNDECIDED are numbers, not '$number'"
        exit 2
        ;;
    esac
done
# Two weeks must be left for the comparison, and tonight in any case.
[ "$keep" -gt 0 ] || keep=1
[ "$week" -eq 0 ] || [ "$keep" -ge 5 ] ||
    say "PODSWARM_KEEP=$keep is too few for the trend, which needs 5 nights before this one"
[ "$keep" -ge $((2 * week)) ] || say "PODSWARM_KEEP=$keep is too few for two times $week nights to be compared"

mkdir -p "$results" "$reports"
# The soak inherits the lock: where this script alone is killed, no second soak starts beside the one that goes on.
exec 9>"$state/nightly.lock"
if ! flock -n 9; then
    say 'the night before is still going on'
    exit 75
fi

# Of nights that were killed; nobody else is here.
rm -rf "$reports"/.night.*
scratch=$(mktemp -d "$reports/.night.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# Journals without a result: the machine or the pod went away in the middle of a night.
"$podswarm" recover "$results" >&2 || say "recover ended with status $?"

# In the background, so that a request to stop reaches the soak at once; it then writes the result of what there was.
"$podswarm" soak "$profile" --for "$duration" --results "$results" --quiet "$@" >"$scratch/path" &
soak=$!
trap 'kill -TERM "$soak" 2>/dev/null || true' TERM INT
trap 'kill -HUP "$soak" 2>/dev/null || true' HUP
status=0
wait "$soak" || status=$?
# A signal ends the wait, not the soak.
while kill -0 "$soak" 2>/dev/null; do
    status=0
    wait "$soak" || status=$?
done
trap - TERM INT HUP

result=$(tail -n 1 "$scratch/path")
if [ -z "$result" ] || [ ! -f "$result" ]; then
    say "the soak ended with status $status and without a result"
    [ "$status" -ne 0 ] || status=70
    exit "$status"
fi
folder=$(dirname "$result")
name=$(basename "$result" .json)
report=$reports/$(basename "$folder")-$name

"$podswarm" result export "$result" --format junit --output "$report.xml"
"$podswarm" result export "$result" --format markdown --output "$report.md"
if [ -n "$textfile" ]; then
    metrics=$textfile/podswarm-$(basename "$folder").prom
    # Readable by the node exporter, which is somebody else, before it sees it. A night is no worse for a folder that is
    # not there.
    { "$podswarm" result export "$result" --format prometheus --output "$metrics.part" &&
        chmod 644 "$metrics.part" && mv -f "$metrics.part" "$metrics"; } ||
        say "PODSWARM_TEXTFILE=$textfile: not written"
fi

# Only nights that say something about the target, the newest first; `result show` has the status of its run.
judged=()
while IFS= read -r file; do
    [ "${#judged[@]}" -lt $((2 * week)) ] || break
    shown=0
    "$podswarm" result show "$file" >/dev/null 2>&1 || shown=$?
    if [ "$shown" -le 1 ]; then judged+=("$file"); fi
done < <(find "$folder" -maxdepth 1 -type f -name '*Z*.json' | sort -r)

append() { if [ -f "$1" ]; then { echo && cat "$1"; } >>"$report.md"; fi; }

# Tonight against all nights before, from the sixth on; a worse night names its release.
trend=0
if [ "$week" -gt 0 ]; then
    "$podswarm" trend "$folder" --markdown "$scratch/trend" >&2 || trend=$?
    append "$scratch/trend"
    say "tonight against the nights before: status $trend"
fi

comparison=0
if [ "$week" -gt 0 ] && [ "${#judged[@]}" -ge $((2 * week)) ]; then
    # Nights that were aborted are left aside rather than spoiling a fortnight.
    "$podswarm" compare --base "${judged[@]:week:week}" --candidate "${judged[@]:0:week}" --leave-unfit \
        --junit "$report.comparison.xml" --markdown "$scratch/comparison" >&2 || comparison=$?
    append "$scratch/comparison"
    say "this week against last week: status $comparison"
else
    say "${#judged[@]} of $((2 * week)) nights are there for a comparison of weeks"
fi

# The oldest go, with everything that bears their name.
find "$folder" -maxdepth 1 -type f -name '*Z*.json' | sort -r | tail -n +$((keep + 1)) | while IFS= read -r file; do
    old=$(basename "$file" .json)
    rm -f "${file%.json}".* "$reports/$(basename "$folder")-$old".*
done

ln -sfn "$(basename "$report").md" "$reports/latest.md"
ln -sfn "$(basename "$report").xml" "$reports/latest.xml"
say "soak: status $status, $result"
if [ "$comparison" -eq 3 ]; then comparison=$undecided; fi
if [ "$trend" -eq 1 ]; then comparison=1; fi
if [ "$status" -eq 0 ]; then status=$comparison; fi
exit "$status"
