#include "CFindings.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char findings[] = {
#embed "findings.txt"
    , 0};

static const char players[] = {
#embed "players.yaml"
    , 0};

static const char commands[] = {
#embed "commands.txt"
    , 0};

const char *podswarm_findings(void) { return findings; }
const char *podswarm_players(void) { return players; }
const char *podswarm_commands(void) { return commands; }
