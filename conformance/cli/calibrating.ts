// `conformance calibrate`, and `--profile FILE` on an audit: from the report of a run to a file of behaviors.

import { readFileSync } from 'node:fs';
import { type BehaviorId, behaviors } from '../../src/contract/generated/behaviors.ts';
import { type Profile, readProfile } from '../../src/contract/profile.ts';
import { count } from '../../src/terminal/count.ts';
import { whyUnreadable } from '../../src/terminal/file-trouble.ts';
import { type FileKind, rejectUnwritable } from '../../src/terminal/own-file.ts';
import { coloured, plain } from '../../src/terminal/paint.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { visible } from '../../src/terminal/visible.ts';
import { narrowed } from '../diff/diff.ts';
import { type Drift, findDrift, type Repetition } from '../diff/drift.ts';
import type { Round } from '../diff/repetitions.ts';
import { canonical } from '../exchange/canonical.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { keyPrefixOf } from '../observe/look.ts';
import { profileFrom } from '../observe/observe.ts';
import { comparableBehaviors, usualMinCompared } from '../report/difference.ts';
import { emptySentence } from '../report/outcome.ts';
import type { ExitCode, Report } from '../report/report.ts';
import { showProgress } from '../reporters/progress.ts';
import type { RunEvent, RunOptions } from '../run/options.ts';
import type { ParsedFlags } from './flags.ts';
import type { Io } from './io.ts';
import { writeText } from './output-files.ts';

const valueMax = 160;

export const profileFile: FileKind = { name: 'profile', start: /^\s*\{[\s\S]{0,2000}"casaProfile"/ };

/** The profile of a run. */
function profileOf(report: Report): Profile {
  const { behaviors: states, checks, target, startedAt, toolVersion: kit, contractVersion: contract } = report;
  return profileFrom(states, checks, { kit, contract, target, startedAt });
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
  const before = check === undefined ? null : readProfileFile(check, '--check: ');
  return async (run: RunAgain): Promise<ExitCode> => {
    const first = await observeAgain(run, { calibrate: true }, showProgress(io.err, io.hasColor ? coloured : plain));
    const { report } = first;
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
      io.err.write(`${visible(`Saved the profile in ${file}. To use it, run casa mock --profile ${file}.`)}\n`);
    if (before === null) {
      if (report.isEmpty) io.err.write(`${visible(emptySentence(report))}\n`);
      return report.isEmpty ? 3 : 0;
    }
    const again = (round: Round, suspects: readonly BehaviorId[]) => {
      io.err.write(`Looks changed, and is read again: ${suspects.join(', ')}\n`);
      return observeAgain(run, { seed: report.plan.seed, ...narrowed(round, options) });
    };
    const drift = await findDrift({ before, first, again, keyPrefix: keyPrefixOf(options.keys.good) });
    return concludeDrift({ before, drift, report }, flags, io);
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

/** Throws a UsageError of one sentence that begins with `about`. */
export function readProfileFile(file: string, about = ''): Profile {
  try {
    return readProfile(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== undefined) throw new UsageError(`${about}${file} ${whyUnreadable(error)}.`);
    if (error instanceof SyntaxError) throw new UsageError(`${about}${file} cannot be used: it is not JSON.`);
    throw new UsageError(`${about}${file} cannot be used: ${message}.`);
  }
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
}

/** A change outranks everything that could not be compared. */
function concludeDrift({ before, drift, report }: Compared, flags: ParsedFlags, io: Io): ExitCode {
  const { changed, compared, violations } = drift;
  const say = (text: string) => io.out(`${visible(text)}\n`);
  if (report.isEmpty) say(emptySentence(report));
  for (const { clause, check, sentence } of violations) say(`new violation  ${clause} (${check}): ${sentence}`);
  for (const { id, was, is, why } of changed)
    say(`changed  ${id}: ${why ?? `${shorten(was)} became ${shorten(is)}`} (${behaviors[id].about})`);
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['not comparable, possibly because of the data', drift.open],
    ['changed once, but not in repeated requests', drift.unrepeated],
    ['not observed in this run', drift.lost],
  ];
  for (const [what, ids] of rows) if (ids.length > 0) say(`${what}: ${ids.join(', ')}`);
  say(`${changed.length} of ${compared} compared behaviors changed.`);
  if (changed.length > 0) {
    const { check = '', profile } = flags;
    const how = profile === undefined ? 'calibrate again with --profile' : `${profile} contains them`;
    say(`If the new behaviors are meant to stay, ${check} is out of date: ${how}.`);
  }
  if (changed.length > 0 || violations.length > 0) return 1;
  if (drift.abort !== null) {
    io.err.write(`${visible(drift.abort.sentence)}\n`);
    return drift.abort.exitCode;
  }
  const of = Object.keys(before.behaviors).filter((id) => comparableBehaviors.has(id)).length;
  if (!report.isEmpty && compared > 0 && compared >= usualMinCompared * of) return 0;
  say(`Too little could be compared: ${compared} of ${of} behaviors of the profile.`);
  return 3;
}

function shorten(value: unknown): string {
  const text = canonical(value);
  return text.length > valueMax ? `${text.slice(0, valueMax)}…` : text;
}
