// A report of `casa try`: the mistakes of the client, the worst first.
import { useState } from 'preact/hooks';
import { isObject } from '../../contract/json.ts';
import { Card, ClauseLink, countOf, Empty, FilePick } from './parts.tsx';
import { parseFile } from './snapshots-page.tsx';

const headings = { business: 'Lost or duplicated', rule: 'Rules', fragile: 'Failures', advice: 'Advice' };

interface TryReport {
  readonly violations: readonly TryFinding[];
  readonly advice: readonly TryFinding[];
  readonly dimensions: readonly TryArea[];
  readonly cells: readonly { readonly result: string }[];
}

type TryArea = { readonly [name in 'id' | 'title' | 'sentence']: string } & {
  readonly [name in 'handled' | 'violated' | 'notExercised']: number;
};

type TryFinding = { readonly [name in 'id' | 'severity' | 'message' | 'correct' | 'clause']: string } & {
  readonly cells: readonly string[];
};

/** The sentence of an error says what to do. */
export function readReport(name: string, text: string): TryReport {
  const { casaClient, ...parts } = parseFile(name, text, 'a report of casa try');
  const rowsOf = (part: unknown) => (Array.isArray(part) && part.every(isObject) ? part : null);
  const [violations, advice, ...others] = ['violations', 'advice', 'dimensions', 'cells'].map((part) =>
    rowsOf(parts[part]),
  );
  const isWhole = [violations, advice].every((found) => found?.every(({ cells }) => Array.isArray(cells)));
  if (casaClient === 1 && isWhole && others.every((part) => part !== null)) return parts as unknown as TryReport;
  throw new Error(`${name} is not a report of casa try. Write one with --report json=FILE.`);
}

/** Stays while the dashboard is open. */
let last: (TryReport & { readonly file: string }) | null = null;

export function TryPage() {
  const [report, show] = useState(last);
  const take = async (file: string, text: string) => {
    last = { ...readReport(file, text), file };
    show(last);
  };
  return (
    <>
      <FilePick label="Report of casa try (JSON)" take={take} />
      {report === null ? (
        <Empty>
          <strong>No report yet.</strong> Run <code>npx casa try --report json=casa-client.json -- YOUR COMMAND</code>,
          and choose the file above.
        </Empty>
      ) : (
        <Results report={report} />
      )}
    </>
  );
}

function Results({ report: { file, violations, advice, dimensions, cells } }: { report: NonNullable<typeof last> }) {
  const exercised = cells.filter(({ result }) => result !== 'not-exercised').length;
  const groups = Object.entries(headings).map(([severity, title]) => {
    return { title, found: [...violations, ...advice].filter((each) => each.severity === severity) };
  });
  return (
    <>
      <p id="try-summary" class="soft space">
        {file}: <strong>{violations.length === 0 ? 'no violations' : countOf(violations.length, 'violation')}</strong>{' '}
        in the {exercised} of {countOf(cells.length, 'test case')} that were exercised.
      </p>
      {groups
        .filter(({ found }) => found.length > 0)
        .map(({ title, found }) => (
          <Card key={title} title={title} aside={<span class="chip">{found.length}</span>}>
            <ul class="list violations">
              {found.map(({ id, message, correct, clause, cells }) => (
                <li key={id}>
                  <span>{message}</span>
                  <span>
                    {correct} <ClauseLink id={clause} />
                  </span>
                  <small class="soft mono">{cells.join(', ')}</small>
                </li>
              ))}
            </ul>
          </Card>
        ))}
      <div class="card scroll">
        <table id="try-dimensions">
          <thead>
            <tr>
              {['Area', 'Handled', 'Violated', 'Not exercised', 'Behavior of the client'].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {dimensions.map(({ id, title, handled, violated, notExercised, sentence }) => (
              <tr key={id}>
                <th scope="row">{title}</th>
                <td>{handled}</td>
                <td class={violated > 0 ? 'bad' : undefined}>{violated}</td>
                <td>{notExercised}</td>
                <td>{sentence}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
