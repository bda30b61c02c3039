#!/usr/bin/env bash
# One pull request: rehearse base and candidate in turns, compare, and write what a CI system shows.
#
#   rehearse.sh BASE CANDIDATE        two profiles: the same plan against two targets
#
# What can be set in the environment, with what holds otherwise:
#   PODSWARM=podswarm                 the executable
#   PODSWARM_RUNS=5                   runs of each side; fewer than four decide hardly anything
#   PODSWARM_REPORT=podswarm-report   folder that is made for the reports; it must be empty where it is there already
#   PODSWARM_UNDECIDED=3              exit status where the comparison decides nothing
#
# In the folder are then comment.md (for the pull request), junit.xml (the comparison) and runs/*.xml (each run of the
# candidate), index.html (the comparison as a page) and results/ with every result and its page.
#
# Exit status: 1 where a run of the candidate failed, otherwise that of the comparison; 2 where the folder is not empty.
set -euo pipefail

if [ $# -ne 2 ]; then
    echo "usage: rehearse.sh BASE CANDIDATE" >&2
    exit 2
fi
podswarm=${PODSWARM:-podswarm}
report=${PODSWARM_REPORT:-podswarm-report}
undecided=${PODSWARM_UNDECIDED:-3}

mkdir -p "$report" || exit 2
# Results of an earlier candidate would be compared with this one's, and its comment could be taken for this one's.
if [ -n "$(ls -A "$report")" ]; then
    echo "rehearse: $report is not empty: remove it, or name another folder in PODSWARM_REPORT" >&2
    exit 2
fi
# In turns, because what else changes in an hour on a shared machine would look like the candidate.
ran=0
"$podswarm" run "$1" --repeat "${PODSWARM_RUNS:-5}" --label release=base \
    --interleave "$2" --interleave-label release=candidate --results "$report/results" --quiet || ran=$?
case $ran in
# A run that failed or was its own limit is told of by what follows.
0 | 1 | 3) ;;
*) exit "$ran" ;;
esac

status=0
"$podswarm" compare --base label:release=base --candidate label:release=candidate --results "$report/results" --leave-unfit \
    --markdown "$report/comment.md" --junit "$report/junit.xml" --html "$report/index.html" || status=$?
# Nothing to show is no verdict either.
[ -f "$report/comment.md" ] || exit "$status"
if [ "$status" -eq 3 ]; then status=$undecided; fi

mkdir -p "$report/runs"
while IFS= read -r result; do
    grep -q '"release" : "candidate"' "$result" || continue
    "$podswarm" result export "$result" --format junit --output "$report/runs/$(basename "$result" .json).xml"
    shown=0
    "$podswarm" result show "$result" >/dev/null || shown=$?
    if [ "$shown" -eq 1 ]; then status=1; fi
done < <(find "$report/results" -type f -name '*Z*.json' | sort)
exit "$status"
