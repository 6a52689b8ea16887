#!/usr/bin/env bash
# The step of action.yml. Its inputs are the variables CASA_*; CASA_BIN names a folder with both commands for tests.
set -euo pipefail

# A known name below /tmp could be a link or a program of another user.
temp="${RUNNER_TEMP:-$(mktemp -d)}"

tell() { printf '%s\n' "$1=$2" >> "${GITHUB_OUTPUT:-/dev/null}"; }

refuse() {
  echo "::error title=casa-kit::$1"
  tell exit-code 2
  exit 2
}

# The project's own version comes first, so that a run in CI is the run on a developer's machine.
find_commands() {
  local own="${GITHUB_WORKSPACE:-.}/node_modules"
  if [ -n "${CASA_BIN:-}" ]; then bin="$CASA_BIN"
  elif [ -f "$own/casa-kit/package.json" ]; then bin="$own/.bin"
  else
    [[ "${CASA_VERSION:-latest}" =~ ^[0-9A-Za-z.^~-]+$ ]] || refuse 'version is a version or a tag of casa-kit.'
    local folder="$temp/casa-kit"
    npm install --prefix "$folder" --no-audit --no-fund --silent "casa-kit@${CASA_VERSION:-latest}"
    bin="$folder/node_modules/.bin"
  fi
}

# A key that is an input takes the place of the variable that the commands know. An input that was not given leaves it.
hand_over_keys() {
  local kind side from to
  for kind in API SECOND REVOKED; do
    for side in '' _A _B; do
      from="CASA_${kind}_KEY$side" to="CONFORMANCE_${kind}_KEY$side"
      [ -z "${!from:-}" ] || export "$to=${!from}"
      unset "$from"
    done
  done
}

start_mock() {
  local port="${CASA_PORT:-4010}"
  [ -z "${CASA_PROFILE:-}" ] || words=(--profile "$CASA_PROFILE" "${words[@]}")
  [[ "$port" =~ ^[0-9]{1,5}$ ]] || refuse 'port is a whole number.'
  local log="$temp/casa-mock.log" ready url
  ready="$(mktemp -d "$temp/casa-mock.XXXXXX")/ready.json"
  nohup "$bin/casa" mock --port "$port" --ready-file "$ready" "${words[@]}" > "$log" 2>&1 < /dev/null &
  local mock=$!
  # The mock itself says where it listens: a request to the port might reach another process.
  while kill -0 "$mock" 2> /dev/null && [ ! -e "$ready" ] && [ "$SECONDS" -lt 60 ]; do sleep 0.1; done
  if [ ! -e "$ready" ]; then
    kill "$mock" 2> /dev/null || true
    tail -n 20 "$log"
    refuse 'The mock did not start. See its last lines above.'
  fi
  url="$(sed 's/.*"url":"\([^"]*\)".*/\1/' "$ready")"
  echo "up  $url"
  tell url "$url"
  tell pid "$mock"
  tell exit-code 0
}

audit() {
  local folder="${CASA_REPORT_DIR:-casa-reports}"
  local flags=(--report "html=$folder/conformance.html" --report "junit=$folder/conformance.xml")
  flags+=(--report "sarif=$folder/conformance.sarif" --report "json=$folder/conformance.json")
  [ -z "${GITHUB_STEP_SUMMARY:-}" ] || flags+=(--report "md=$GITHUB_STEP_SUMMARY")
  [ -z "${CASA_BASE_URL:-}" ] || flags+=(--base-url "$CASA_BASE_URL")
  [ -z "${CASA_TARGET:-}" ] || flags+=(--target "$CASA_TARGET")
  [ -z "${CASA_MCP_URL:-}" ] || flags+=(--mcp-url "$CASA_MCP_URL")
  [ -z "${CASA_CLAIMS:-}" ] || flags+=(--claims "$CASA_CLAIMS")
  [ -z "${CASA_HISTORY:-}" ] || flags+=(--history "$CASA_HISTORY")
  [ -z "${CASA_MIN_VERIFIED:-}" ] || flags+=(--min-verified "$CASA_MIN_VERIFIED")
  [ -z "${CASA_FAIL_ON:-}" ] || flags+=(--fail-on "$CASA_FAIL_ON")
  [ -z "${CASA_MINUTES:-}" ] || flags+=(--minutes "$CASA_MINUTES")
  local code=0
  # The report of an earlier run must not count for a run that wrote none.
  rm -f "$folder/conformance.json"
  "$bin/casa-conformance" "${flags[@]}" "${words[@]}" || code=$?
  tell exit-code "$code"
  tell report "$folder"
  tell violated "$(figure fail "$folder")"
  tell verified "$(figure pass "$folder")"
  exit "$code"
}

# The new profile is written next to the reports. Committing it accepts the new behaviors.
calibrate_check() {
  local folder="${CASA_REPORT_DIR:-casa-reports}"
  mkdir -p "$folder"
  local flags=(--check "${CASA_PROFILE:-casa.profile.json}" --profile "$folder/casa.profile.json")
  [ -z "${CASA_BASE_URL:-}" ] || flags+=(--base-url "$CASA_BASE_URL")
  [ -z "${CASA_TARGET:-}" ] || flags+=(--target "$CASA_TARGET")
  [ -z "${CASA_MCP_URL:-}" ] || flags+=(--mcp-url "$CASA_MCP_URL")
  # A night has time, and a run of one minute misses a quarter of the violations.
  [[ " ${words[*]} " == *' --minutes'* ]] || flags+=(--minutes "${CASA_MINUTES:-8}")
  local code=0
  "$bin/casa-conformance" calibrate "${flags[@]}" "${words[@]}" > "$folder/calibrate.txt" || code=$?
  cat "$folder/calibrate.txt"
  summarize 'Has a behavior changed?' "$folder/calibrate.txt"
  [ -z "${CASA_GITHUB_TOKEN:-}" ] || node "$GITHUB_ACTION_PATH/.github/actions/issues.mjs" \
    "$folder/calibrate.txt" "$code" "${CASA_PROFILE:-casa.profile.json}" "$folder/casa.profile.json"
  tell exit-code "$code"
  tell report "$folder"
  tell cause "$(sed -n 's/^Cause: \([a-z, -]*\)$/\1/p' "$folder/calibrate.txt")"
  tell changes "$(sed -n 's/^\([0-9]*\) of [0-9]* compared behaviors changed\.$/\1/p' "$folder/calibrate.txt")"
  exit "$code"
}

diff_sides() {
  local side
  for side in "${CASA_A:-}" "${CASA_B:-}"; do
    case "$side" in '' | -*) refuse 'a and b name the two sides: an address, a target, a profile or self.' ;; esac
  done
  local folder="${CASA_REPORT_DIR:-casa-reports}"
  local flags=(--report "html=$folder/diff.html" --report "junit=$folder/diff.xml")
  flags+=(--report "sarif=$folder/diff.sarif" --report "json=$folder/diff.json" --report "md=$folder/diff.md")
  [ -z "${CASA_MCP_URL_A:-}" ] || flags+=(--mcp-url-a "$CASA_MCP_URL_A")
  [ -z "${CASA_MCP_URL_B:-}" ] || flags+=(--mcp-url-b "$CASA_MCP_URL_B")
  [ -z "${CASA_FAIL_ON:-}" ] || flags+=(--fail-on "$CASA_FAIL_ON")
  local code=0
  "$bin/casa-conformance" diff "$CASA_A" "$CASA_B" "${flags[@]}" "${words[@]}" || code=$?
  [ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$folder/diff.md" >> "$GITHUB_STEP_SUMMARY" 2> /dev/null || true
  tell exit-code "$code"
  tell report "$folder"
  exit "$code"
}

# The words name the client: --scenario FILE, or -- and a command.
try_client() {
  local folder="${CASA_REPORT_DIR:-casa-reports}"
  local flags=(--fail-on "${CASA_FAIL_ON:-violation}")
  flags+=(--report "json=$folder/casa-client.json" --report "md=$folder/casa-client.md")
  [ -z "${CASA_BASELINE:-}" ] || flags+=(--baseline "$CASA_BASELINE")
  local code=0
  rm -f "$folder/casa-client.md"
  "$bin/casa" try "${flags[@]}" "${words[@]}" || code=$?
  [ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$folder/casa-client.md" >> "$GITHUB_STEP_SUMMARY" 2> /dev/null || true
  tell exit-code "$code"
  tell report "$folder"
  exit "$code"
}

# Text of a command, as it is: indented by four, Markdown takes nothing in it for its own.
summarize() {
  [ -n "${GITHUB_STEP_SUMMARY:-}" ] || return 0
  { printf '# %s\n\n' "$1"; sed 's/^/    /' "$2"; printf '\n'; } >> "$GITHUB_STEP_SUMMARY"
}

# Clauses with a result. Empty if the run did not finish: 0 violated clauses would look like a good result.
figure() {
  node -p 'const { abort, coverage } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
    abort ? "" : coverage.filter(({ provable, result }) => provable && result === process.argv[2]).length' \
    "$2/conformance.json" "$1" 2> /dev/null || true
}

# A line is a word, so that no quoting is needed and none can be got wrong.
words=()
while IFS= read -r word; do [ -z "$word" ] || words+=("$word"); done <<< "${CASA_ARGUMENTS:-}"
bin=''
hand_over_keys
case "${CASA_MODE:-audit}" in
  mock) find_commands; start_mock ;;
  audit) find_commands; audit ;;
  calibrate-check) find_commands; calibrate_check ;;
  diff) find_commands; diff_sides ;;
  try) find_commands; try_client ;;
  *) refuse 'mode is mock, audit, calibrate-check, diff or try.' ;;
esac
