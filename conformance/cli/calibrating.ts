// `conformance calibrate`, and `--profile FILE` on an audit: from the report of a run to a file of readings.
import { readFileSync } from 'node:fs';
import { readings } from '../../src/contract/generated/readings.ts';
import { type Profile, readProfile } from '../../src/contract/profile.ts';
import { whyUnreadable } from '../../src/terminal/file-trouble.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { visible } from '../../src/terminal/visible.ts';
import { movedReadings } from '../diff/moved.ts';
import { canonical, profileFrom } from '../observe/observe.ts';
import type { ExitCode, Report } from '../report/report.ts';
import type { ParsedFlags } from './flags.ts';
import type { Io } from './io.ts';
import { refuseUnwritable, writeText } from './output-files.ts';

const valueMax = 160;

/** The profile of a run. */
function profileOf(report: Report): Profile {
  const { readings: states, checks, target, startedAt, toolVersion: kit, contractVersion: contract } = report;
  return profileFrom(states, checks, { kit, contract, target, startedAt });
}

/** Indented and sorted, made to be committed. */
export function profileText(report: Report): string {
  return `${JSON.stringify({ $schema: 'urn:casa-kit:profile', ...profileOf(report) }, null, 2)}\n`;
}

/** Everything that may be wrong with the files is found out before the first request. */
export function prepareCalibration(flags: ParsedFlags, io: Io): (report: Report) => ExitCode {
  const { profile: file, check } = flags;
  if (file !== undefined) refuseUnwritable('profile', file);
  const before = check === undefined ? null : readProfileFile(check, '--check: ');
  return (report) => {
    if (report.abort !== null) {
      io.err.write(`${visible(report.abort.sentence)}\n`);
      return report.abort.exitCode;
    }
    const text = profileText(report);
    const problems = file === undefined ? [] : writeText('profile', file, text);
    if (file === undefined && before === null) io.out(text);
    io.err.write(summaryOf(report));
    for (const problem of problems) io.err.write(`${visible(problem)}\n`);
    if (problems.length > 0) return 4;
    if (file !== undefined)
      io.err.write(`${visible(`${file} holds the profile. casa mock --profile ${file} answers by it.`)}\n`);
    return before === null ? 0 : tellMoved(before, profileOf(report), flags, io);
  };
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
  const { readings: learnt, unknown, notLearnt } = profileOf(report);
  const { requests, seconds } = report.used;
  const lines = [
    `${Object.keys(learnt).length} of ${Object.keys(readings).length} readings known, ${requests} requests in ${Math.round(seconds)} s.`,
    ...Object.entries(unknown).map(([id, why]) => `  unknown     ${id}: ${why}`),
    ...notLearnt.map(({ clause, check, sentence }) => `  not learnt  ${clause} (${check}): ${sentence}`),
  ];
  return `${lines.map(visible).join('\n')}\n`;
}

/** Exit code 1, as for a contract that is broken: what a client relied on is not so any more. */
function tellMoved(before: Profile, now: Profile, { check = '', profile }: ParsedFlags, io: Io): ExitCode {
  const { moved, compared, open, lost } = movedReadings(before, now);
  for (const { id, was, is, why } of moved) {
    const what = why ?? `${shorten(was)} became ${shorten(is)}`;
    io.out(`${visible(`moved  ${id}: ${what} (${readings[id].about})`)}\n`);
  }
  if (open.length > 0) io.out(`${visible(`not comparable, the data may be why: ${open.join(', ')}`)}\n`);
  if (lost.length > 0) io.out(`${visible(`not seen this time: ${lost.join(', ')}`)}\n`);
  io.out(`${moved.length} of ${compared} compared readings have moved.\n`);
  if (moved.length > 0) {
    const how = profile === undefined ? 'calibrate again with --profile' : `${profile} has them; put it in its place`;
    io.out(`${visible(`If the new readings are meant to stay, ${check} is out of date: ${how}.`)}\n`);
    return 1;
  }
  return compared === 0 ? 3 : 0;
}

function shorten(value: unknown): string {
  const text = canonical(value);
  return text.length > valueMax ? `${text.slice(0, valueMax)}…` : text;
}
