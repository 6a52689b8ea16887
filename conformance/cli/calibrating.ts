// `conformance calibrate`, and `--profile FILE` on an audit: from the report of a run to a file of behaviors.

import { type Behavior, type BehaviorId, behaviors } from '../../src/contract/generated/behaviors.ts';
import type { Profile } from '../../src/contract/profile.ts';
import { count } from '../../src/terminal/count.ts';
import { profileFile, rejectUnwritable } from '../../src/terminal/own-file.ts';
import { coloured, plain } from '../../src/terminal/paint.ts';
import { readProfileFile } from '../../src/terminal/profile-file.ts';
import { visible } from '../../src/terminal/visible.ts';
import { profileFrom } from '../behaviors/observe.ts';
import { narrowed } from '../driver/diff/diff.ts';
import {
  type ChangedBehavior,
  clockCause,
  type Drift,
  findDrift,
  isHiddenBy,
  type NoDrift,
  type Repetition,
  whyNoDrift,
} from '../driver/diff/drift.ts';
import type { Round } from '../driver/diff/relation.ts';
import type { RunEvent, RunOptions } from '../driver/options.ts';
import { canonical } from '../exchange/canonical.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { keyPrefixOf } from '../exchange/look.ts';
import { comparableBehaviors, usualMinCompared } from '../report/difference.ts';
import { emptySentence } from '../report/outcome.ts';
import type { ExitCode, Report } from '../report/report.ts';
import { showProgress } from '../reporters/progress.ts';
import { furtherMax } from '../scenarios/further.ts';
import type { ParsedFlags } from './flags.ts';
import type { Io } from './io.ts';
import { writeText } from './output-files.ts';

const valueMax = 160;

function profileOf(report: Report): Profile {
  const { behaviors: states, checks, toolVersion: kit, contractVersion: contract } = report;
  return profileFrom(states, checks, { ...report, kit, contract });
}

/** Indented and sorted, made to be committed. */
export function profileText(report: Report): string {
  return `${JSON.stringify({ $schema: 'urn:casa-kit:profile', ...profileOf(report) }, null, 2)}\n`;
}

/** A run with the options of the command line, some of them changed. */
export type RunAgain = (more: Partial<RunOptions>) => Promise<Report>;

/** Everything that may be wrong with the files is found out before the first request. */
export function prepareCalibration(flags: ParsedFlags, io: Io, options: Omit<RunOptions, 'runId'>) {
  const { profile: file, check } = flags;
  if (file !== undefined) rejectUnwritable('profile', file, profileFile);
  const before = check === undefined ? null : readProfileFile(`--check: ${check}`, check);
  return async (run: RunAgain): Promise<ExitCode> => {
    const follow = showProgress(io.err, io.hasColor ? coloured : plain, furtherMax);
    const first = await observeAgain(run, { calibrate: true }, follow);
    const { report } = first;
    const noDrift = before === null ? null : whyNoDrift(first);
    if (noDrift?.isPartial === false) return concludeNoDrift(noDrift, report, io);
    if (report.abort !== null) {
      io.err.write(`${visible(report.abort.sentence)}\n`);
      return report.abort.exitCode;
    }
    const text = profileText(report);
    const problems = file === undefined ? [] : writeText(file, text, profileFile);
    if (file === undefined && before === null) io.out(text);
    io.err.write(summaryOf(report));
    for (const problem of problems) io.err.write(`${visible(problem)}\n`);
    if (problems.length > 0) return 4;
    if (file !== undefined)
      io.err.write(`${visible(`Saved the profile in ${file}. To use it, run npx casa mock --profile ${file}.`)}\n`);
    if (before === null) {
      if (report.isEmpty) io.err.write(`${visible(emptySentence(report))}\n`);
      return report.isEmpty ? 3 : 0;
    }
    const again = (round: Round, suspects: readonly BehaviorId[]) => {
      io.err.write(`Possible changes, requested again: ${suspects.join(', ')}\n`);
      return observeAgain(run, narrowed(round, options));
    };
    const drift = await findDrift({ before, first, again, keyPrefix: keyPrefixOf(options.keys.good) });
    return concludeDrift({ before, drift, report, noDrift: noDrift ?? clockCause(first) }, flags, io);
  };
}

/** Keeps the exchanges of a run, bodies included, for as long as this process compares them. */
async function observeAgain(
  run: RunAgain,
  more: Partial<RunOptions>,
  follow: (event: RunEvent) => void = () => undefined,
): Promise<Repetition> {
  const exchanges: Exchange[] = [];
  const onEvent = (event: RunEvent) => {
    if (event.kind === 'exchange') exchanges.push(event.exchange);
    follow(event);
  };
  return { report: await run({ ...more, onEvent }), exchanges };
}

function summaryOf(report: Report): string {
  const { behaviors: learnt, unknown, notLearnt } = profileOf(report);
  const { requests, seconds } = report.used;
  const lines = [
    `${Object.keys(learnt).length} of ${Object.keys(behaviors).length} behaviors known, ${count(requests, 'request')} in ${Math.round(seconds)} s.`,
    ...Object.entries(unknown).map(([id, why]) => `  unknown     ${id}: ${why}`),
    ...notLearnt.map(({ clause, check, sentence }) => `  not learnt  ${clause} (${check}): ${sentence}`),
  ];
  return `${lines.map(visible).join('\n')}\n`;
}

interface Compared {
  readonly before: Profile;
  readonly drift: Drift;
  readonly report: Report;
  readonly noDrift: NoDrift | null;
}

/** The action reads the last line: it keeps an issue for each cause. */
function conclude(exitCode: ExitCode, causes: readonly string[], io: Io): ExitCode {
  io.out(`Cause: ${causes.join(', ') || 'none'}\n`);
  return exitCode;
}

function concludeNoDrift({ cause, sentence, exitCode }: NoDrift, report: Report, io: Io): ExitCode {
  const found = report.abort === null || report.abort.sentence === sentence ? '' : ` (${report.abort.sentence})`;
  io.out(`${visible(`Not drift: ${sentence}${found}`)}\n`);
  return conclude(exitCode, [cause], io);
}

/** A change outranks everything that could not be compared. */
function concludeDrift({ before, drift, report, noDrift }: Compared, flags: ParsedFlags, io: Io): ExitCode {
  const { violations, compared } = drift;
  const changed = drift.changed.filter(({ id }) => !isHiddenBy(noDrift?.cause, id));
  const hidden = drift.changed.filter((each) => !changed.includes(each)).map(({ id }) => id);
  const say = (text: string) => io.out(`${visible(text)}\n`);
  const since = `between ${before.learntOn} and ${report.startedAt.slice(0, 10)}`;
  for (const { clause, check, sentence } of violations) {
    say(`Illegal change: ${clause} (${check}): ${sentence}`);
    say(`  The deployment began to violate this clause ${since}.`);
  }
  for (const change of changed) for (const line of describeChange(change, since)) say(line);
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['not comparable, possibly because of the data', drift.open],
    ['changed once, but not in repeated requests', drift.unrepeated],
    ['not observed in this run', drift.lost],
    [`left out, because of ${noDrift?.cause}`, hidden],
  ];
  for (const [what, ids] of rows) if (ids.length > 0) say(`${what}: ${ids.join(', ')}`);
  if (noDrift !== null) say(`Not drift: ${noDrift.sentence}`);
  say(`${changed.length} of ${compared} compared behaviors changed.`);
  if (changed.length > 0) {
    const { check = '', profile } = flags;
    const how = profile === undefined ? 'calibrate again with --profile' : `${profile} contains them`;
    say(`If the new behaviors are meant to stay, ${check} is out of date: ${how}.`);
  }
  const causes = [...(violations.length > 0 ? ['violation'] : []), ...(changed.length > 0 ? ['drift'] : [])];
  if (causes.length > 0) return conclude(1, causes, io);
  // A shifted clock alone hides nothing.
  if (noDrift !== null && (noDrift.cause !== 'clock' || hidden.length > 0))
    return conclude(noDrift.exitCode, [noDrift.cause], io);
  if (drift.abort !== null) {
    io.err.write(`${visible(drift.abort.sentence)}\n`);
    return conclude(drift.abort.exitCode, ['unreachable'], io);
  }
  const of = Object.keys(before.behaviors).filter((id) => comparableBehaviors.has(id)).length;
  if (compared > 0 && compared >= usualMinCompared * of) return conclude(0, [], io);
  say(`Too little could be compared: ${compared} of ${of} behaviors of the profile.`);
  return conclude(3, ['too-little'], io);
}

/** Both values are legal, because a profile contains no others. */
function describeChange({ id, was, is, why }: ChangedBehavior, since: string): string[] {
  const { about, interpretation, clauses, fields = [] }: Behavior = behaviors[id];
  const basis = fields.length === 0 ? 'of no field' : `of ${fields.join(', ')}`;
  return [
    `Legal change: ${about} (${id}, ${interpretation})`,
    `  ${why ?? `${shorten(was)} became ${shorten(is)}`}, ${since}. Clauses: ${clauses.join(', ')}.`,
    `  The new profile changes the basis ${basis}.`,
  ];
}

function shorten(value: unknown): string {
  const text = canonical(value);
  return text.length > valueMax ? `${text.slice(0, valueMax)}…` : text;
}
