// Runs the `console` blocks of README and docs. A line that begins with `$ ` is a command, the lines after it are its
// output, and a line `…` marks omitted output. `npm run samples` writes the output, and a test compares it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DocShell, openShell } from './doc-shell.ts';

const omitted = '…';
const block = /^```console\n([\s\S]*?)^```$/gm;
/** A file that a page shows: a block whose first line is a comment with its name. */
const fileBlock = /^```js\n\/\/ ([\w.-]+\.mjs)\n([\s\S]*?)^```$/gm;

interface Step {
  readonly command: string;
  readonly output: readonly string[];
}

/** Returns the page with current output. Output that differs only in times, ids and ports is unchanged. */
export async function withOutput(page: string): Promise<string> {
  const places = [...page.matchAll(block), ...page.matchAll(fileBlock)].sort((a, b) => a.index - b.index);
  if (places.every(([whole]) => !whole.startsWith('```console'))) return page;
  const folder = mkdtempSync(join(tmpdir(), 'doc-commands-'));
  const shell = openShell(folder);
  let [text, end] = ['', 0];
  try {
    for (const { 0: whole, 1: first = '', 2: body = '', index } of places) {
      text +=
        page.slice(end, index) +
        (whole.startsWith('```js') ? await keep(shell, first, whole, body) : await run(shell, first));
      end = index + whole.length;
    }
    return text + page.slice(end);
  } finally {
    await shell.close();
    rmSync(folder, { recursive: true });
  }
}

async function keep(shell: DocShell, name: string, whole: string, body: string): Promise<string> {
  shell.writeFile(name, body);
  return whole;
}

async function run(shell: DocShell, body: string): Promise<string> {
  const lines: string[] = [];
  for (const { command, output } of stepsOf(body)) {
    const current = (await shell.run(command.replace(/\\\n\s*/g, ' '))).replace(/^\n+|\s+$/g, '').split('\n');
    const shown = elide(output, current[0] === '' ? [] : current);
    const isSame = sameText(output.join('\n'), shown.join('\n'));
    lines.push(`$ ${command}`, ...(isSame ? output : shown));
  }
  return `\`\`\`console\n${lines.join('\n')}\n\`\`\``;
}

function stepsOf(body: string): Step[] {
  const parts = body.trimEnd().split(/^\$ /m).slice(1);
  return parts.map((part) => {
    const [command = ''] = /^(?:.*\\\n)*.*/.exec(part) ?? [];
    const rest = part.slice(command.length).trimEnd();
    return { command, output: rest === '' ? [] : rest.slice(1).split('\n') };
  });
}

/** As many lines before and after `…` as the page shows. */
function elide(shown: readonly string[], current: readonly string[]): readonly string[] {
  const at = shown.indexOf(omitted);
  if (at === -1 || current.length <= shown.length - 1) return current;
  const after = shown.length - at - 1;
  return [...current.slice(0, at), omitted, ...(after === 0 ? [] : current.slice(-after))];
}

/** Whether two outputs differ only in times, ids, ports and durations. */
function sameText(a: string, b: string): boolean {
  return settled(a) === settled(b);
}

function settled(text: string): string {
  return (
    text
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|%3A\S*)?/g, 'TIME')
      .replace(/\d{4}-\d\d-\d\d( \d\d:\d\d)?/g, 'DATE')
      .replace(/\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT/g, 'DATE')
      .replace(/\b\d{13}\b/g, 'MS')
      .replace(/\b(\d+ to )?\d+(\.\d+)? (s|ms)\b/g, 'N $3')
      .replace(/^( {2}[A-Z][\w ]* {2,}\d+ +[\d-]+) +[\d-]+$/gm, '$1 N')
      // A busy machine can add a request, which shifts the ids in a list of ids.
      .replace(/^ +\d+,?$/gm, 'ID')
      .replace(/seed \d+/g, 'seed N')
      .replace(/call_[0-9a-f]{16}/g, 'call_ID')
      .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
  );
}
