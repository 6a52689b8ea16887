// Small parts that several pages share. A text from outside becomes a text node, never markup.
import type { ComponentChildren, JSX, TargetedEvent } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { BasisTable } from '../../contract/basis.ts';
import { basisClass, basisOfPieces } from './basis.tsx';
import { rootPath } from './control-plane.ts';
import { useApp } from './use-app.ts';

interface ActProps {
  readonly does: () => unknown;
  /** What cannot be undone asks with this label, and happens with the second click. */
  readonly sure?: string;
  readonly children: ComponentChildren;
  readonly kind?: 'primary' | 'plain' | 'danger' | undefined;
  readonly label?: string | undefined;
  readonly id?: string | undefined;
  readonly disabled?: boolean | undefined;
}

export function Act({ does, sure, children, kind, label, id, disabled }: ActProps) {
  const app = useApp();
  const [isArmed, setArmed] = useState(false);
  return (
    <button
      type="button"
      id={id}
      class={kind}
      disabled={disabled}
      title={label}
      aria-label={label}
      onBlur={() => setArmed(false)}
      onClick={(event) => {
        event.stopPropagation();
        setArmed(sure !== undefined && !isArmed);
        if (sure === undefined || isArmed) app.act(does);
      }}
    >
      {isArmed ? sure : children}
    </button>
  );
}

/** A button that copies. A page that may not write to the clipboard shows the text instead. */
export function Copy({ text, children, label }: { text: string; children: ComponentChildren; label: string }) {
  const app = useApp();
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => app.tell('Copied.'),
      () => app.tell(text),
    );
  return (
    <button type="button" class="plain" title={label} onClick={() => app.act(copy)}>
      {children}
    </button>
  );
}

interface SwitchProps {
  readonly on: boolean;
  readonly flip: () => unknown;
  readonly children: ComponentChildren;
  readonly hint?: string;
}

export function Switch({ on, flip, children, hint }: SwitchProps) {
  const app = useApp();
  return (
    <button type="button" role="switch" aria-checked={on} class="switch" onClick={() => app.act(flip)}>
      <span class="track" aria-hidden="true" />
      <span>
        {children}
        {hint && <small class="soft">{hint}</small>}
      </span>
    </button>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (string | readonly [value: string, text: string])[];
  readonly choose: (value: string) => unknown;
  readonly bare?: boolean;
}

/** A choice from a list, with its label in sight or, where the place is clear, for readers of the page only. */
export function Choice({ label, value, options, choose, bare = false }: ChoiceProps) {
  const app = useApp();
  const select = (
    <select
      value={value}
      aria-label={bare ? label : undefined}
      onChange={(event) => app.act(() => choose(event.currentTarget.value))}
    >
      {options.map((option) => {
        const [name, text] = typeof option === 'string' ? [option, option] : option;
        return (
          <option key={name} value={name}>
            {text}
          </option>
        );
      })}
    </select>
  );
  if (bare) return select;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the list inside.
    <label>
      <span>{label}</span>
      {select}
    </label>
  );
}

/** A choice of a JSON file, which can be chosen again after a change. */
export function FilePick({ label, take }: { label: string; take: (name: string, text: string) => Promise<unknown> }) {
  const [problem, attempt] = useAttempt();
  const pick = ({ currentTarget: { files } }: TargetedEvent<HTMLInputElement>) => {
    const [file] = files ?? [];
    if (file) attempt(async () => take(file.name, await textOf(file)));
  };
  // The browser reports only a different file, and a changed one has the same name.
  const forget = ({ currentTarget }: TargetedEvent<HTMLInputElement>) => {
    currentTarget.value = '';
  };
  return (
    <>
      <Field label={label} type="file" accept=".json,application/json" onClick={forget} onChange={pick} />
      <Problem text={problem} />
    </>
  );
}

const fileMbMax = 20;

function textOf(file: File): Promise<string> {
  if (file.size > fileMbMax * 1e6)
    throw new Error(`${file.name} is larger than ${fileMbMax} MB. Choose a smaller file.`);
  return file.text().catch(() => {
    throw new Error(`${file.name} cannot be read. Choose it again.`);
  });
}

/** The failure of the last attempt, which stays at the form that it is about, and a function that tries. */
function useAttempt(): [string, (work: () => unknown) => void] {
  const app = useApp();
  const [problem, setProblem] = useState('');
  const attempt = (work: () => unknown) => {
    setProblem('');
    app.act(work, setProblem);
  };
  return [problem, attempt];
}

function Problem({ text }: { text: string }) {
  return (
    <p class="problem bad whole" role="alert" hidden={text === ''}>
      {text}
    </p>
  );
}

/** The values of a form by the names of its fields, without empty ones. */
export type Fields = Readonly<Record<string, string>>;

interface FormProps {
  readonly submit: (fields: Fields, form: HTMLFormElement) => unknown;
  /** The text of the button, and its id. */
  readonly send: string;
  readonly sendId?: string;
  readonly id?: string;
  readonly children: ComponentChildren;
}

/** A form with its button. It shows a failure of `submit`. */
export function Form({ submit, send, sendId, id, children }: FormProps) {
  const [problem, attempt] = useAttempt();
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const filled = [...new FormData(form)].filter(([, value]) => value !== '');
    attempt(() => submit(Object.fromEntries(filled) as Fields, form));
  };
  return (
    <form class="grid" id={id} onSubmit={onSubmit}>
      {children}
      <button type="submit" class="primary" id={sendId}>
        {send}
      </button>
      <Problem text={problem} />
    </form>
  );
}

type FieldProps = JSX.IntrinsicElements['input'] & { readonly label: string; readonly isWhole?: boolean };

export function Field({ label, isWhole = false, ...input }: FieldProps) {
  return (
    <label class={isWhole ? 'whole' : ''}>
      <span>{label}</span>
      <input {...input} />
    </label>
  );
}

export function BodyField({ text }: { text: string }) {
  return (
    <label class="whole">
      <span>Body</span>
      <textarea name="body" rows={8} class="mono" defaultValue={text} />
    </label>
  );
}

/** A choice in a form. `none` is the text of the empty one. */
export function Listed({ label, name, none, values }: ListedProps) {
  return (
    <label>
      <span>{label}</span>
      <select name={name}>
        {none !== undefined && <option value="">{none}</option>}
        {values.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </select>
    </label>
  );
}

interface ListedProps {
  readonly label: string;
  readonly name: string;
  readonly none?: string;
  readonly values: readonly string[];
}

const noBasis: BasisTable = {};

export function Json({ text, basis = noBasis }: { text: string; basis?: BasisTable | undefined }) {
  const tokens = useMemo(() => tokenize(indent(text)), [text]);
  const bases = useMemo(() => basisOfPieces(tokens, basis), [tokens, basis]);
  return (
    <pre>
      {tokens.map(({ kind, text: piece }, i) =>
        kind === 'plain' ? (
          piece
        ) : (
          <span key={i} class={`json-${kind}${basisClass(bases[i] ?? null)}`} title={bases[i] ?? undefined}>
            {piece}
          </span>
        ),
      )}
    </pre>
  );
}

export function Card({
  title,
  aside,
  children,
  id,
}: {
  title: string;
  aside?: JSX.Element;
  children: ComponentChildren;
  id?: string;
}) {
  return (
    <section class="card" id={id}>
      <div class="head">
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

export function Head({ titles }: { titles: readonly string[] }) {
  return (
    <thead>
      <tr>
        {titles.map((title) => (
          <th key={title} scope="col">
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Renders a text of our own documents, with code in backticks. */
export function Prose({ text }: { text: string }) {
  const pieces = text.split('`');
  return <>{pieces.map((piece, i) => (i % 2 === 1 ? <code key={i}>{piece}</code> : piece))}</>;
}

/** An empty state: it says what to do. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

export function ClauseLink({ id }: { id: string }) {
  if (!useApp().hasRequestLog) return <span class="clause mono">{id}</span>;
  return (
    <a class="clause mono" href={`${rootPath()}/__admin/docs#${id}`}>
      {id}
    </a>
  );
}

/** The number of a request, linked if the page has a request log. */
export function RequestLink({ id }: { id: number }) {
  return useApp().hasRequestLog ? <a href={`#requests/${id}`}>#{id}</a> : <span class="mono">#{id} </span>;
}

export const countOf = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

export function timeOf(at: string): string {
  return at.slice(11, 19);
}

const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

/** `12 s`, `3 min`: a time span in its largest unit. */
export function spanOf(ms: number): string {
  const [unitMs, unit] = units.find(([each]) => ms >= each) ?? [1000, 's'];
  return `${Math.floor(ms / unitMs)} ${unit}`;
}

/** Clocks are read in whole milliseconds. */
export const durationOf = (ms: number) =>
  ms < 1 ? '<1 ms' : ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;

export const sizeOf = (bytes: number) => (bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`);

// Cuts JSON into pieces that a page can colour. Every piece stays text.

/** A piece, and what it is coloured as. */

interface Token {
  readonly kind: 'key' | 'string' | 'number' | 'word' | 'plain';
  readonly text: string;
}

/** A page with more pieces than this gets slow; what follows stays plain. */
export const tokensMax = 4000;

/** Each level costs two blanks on every line of it: a body of brackets would become a hundred megabytes. */
const depthMax = 100;

/** The body as it reads best: indented when it is JSON, as it came when it is not, or nests too deep to be read. */
export function indent(body: string): string {
  if (depthOf(body) > depthMax) return body;
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** Counts brackets inside of texts too: too deep a guess only leaves a body as it came. */
function depthOf(body: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of body) {
    if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** The pieces together are the text, whether it is JSON or not. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g;
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    if (tokens.length >= tokensMax) break;
    if (match.index > at) tokens.push({ kind: 'plain', text: text.slice(at, match.index) });
    tokens.push({ kind: kindOf(match), text: match[1] ?? match[0] });
    at = match.index + (match[1] ?? match[0]).length;
  }
  if (at < text.length) tokens.push({ kind: 'plain', text: text.slice(at) });
  return tokens;
}

function kindOf([whole, quoted, colon]: RegExpExecArray): Token['kind'] {
  if (quoted !== undefined) return colon === undefined ? 'string' : 'key';
  return /^[tfn]/.test(whole) ? 'word' : 'number';
}
