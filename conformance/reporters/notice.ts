// What a webhook is told when something changed: names of checks and clauses, figures, the target. No bodies, no keys,
// no words of the target.
import { clip, visible } from '../../src/terminal/visible.ts';
import type { Trend } from '../report/history.ts';
import { count, exitMeanings } from '../report/outcome.ts';

/** The forms of `--notify`: that of Slack, which Mattermost and others take as well, and plain data. */
export const noticeForms = ['json', 'slack'] as const;
export type NoticeForm = (typeof noticeForms)[number];

const NAMES_MAX = 20;
const TARGET_CHARACTERS_MAX = 200;

/** A run like the one before is no news; the first one is when something is broken. */
export function isNews({ current, fresh, gone, runs }: Trend): boolean {
  const before = runs.at(-2);
  return fresh.length + gone.length > 0 || current.exitCode !== (before?.exitCode ?? 0);
}

/** JSON of at most a few kilobytes. */
export function renderNotice(trend: Trend, form: NoticeForm): string {
  const { current, fresh, gone, previous } = trend;
  const text = sentences(trend).join('\n');
  if (form === 'slack') return JSON.stringify({ text: forSlack(text) });
  return JSON.stringify({
    event: 'conformance',
    target: current.target,
    runId: current.runId,
    startedAt: current.at,
    exitCode: current.exitCode,
    broken: current.broken,
    proven: current.proven,
    visible: current.visible,
    provenBefore: previous?.proven ?? null,
    new: fresh.slice(0, NAMES_MAX),
    gone: gone.slice(0, NAMES_MAX),
    text,
  });
}

function sentences({ current, fresh, gone, previous }: Trend): string[] {
  const less = previous === null ? 0 : previous.proven - current.proven;
  return [
    `Conformance of ${clip(visible(current.target), TARGET_CHARACTERS_MAX)}: ${exitMeanings[current.exitCode]}.`,
    `${count(current.broken, 'clause')} broken, ${current.proven} of ${current.visible} proven${less > 0 ? `, ${less} fewer than before` : ''}.`,
    ...list('New', fresh),
    ...list('Gone', gone),
  ];
}

function list(title: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length - NAMES_MAX;
  const shown = names.slice(0, NAMES_MAX).map((name) => clip(visible(name), TARGET_CHARACTERS_MAX));
  return [`${title}: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
}

/** Slack's own three characters. */
function forSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
