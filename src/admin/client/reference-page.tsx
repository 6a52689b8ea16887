// The API reference: every operation with its parameters, responses, clauses and assumptions, and a form to try it.
import { useEffect } from 'preact/hooks';
import { assumptionTexts } from '../../contract/generated/assumption-texts.ts';
import { clauses } from '../../contract/generated/clauses.ts';
import { sections } from '../../contract/sections.ts';
import { rootPath } from './control-plane.ts';
import { Notice, Theme } from './page-parts.tsx';
import { Card, countOf, Head, Json, Prose } from './parts.tsx';
import type { Field, HttpResponse, Operation } from './reference.ts';
import { TryIt } from './try-it.tsx';
import { useApp, useAppState, useHash } from './use-app.ts';

const allClauses = Object.entries(clauses);

export function ReferencePage({ operations }: { operations: readonly Operation[] }) {
  const { health } = useAppState();
  const [hash] = useHash();
  // The page is drawn after the browser looked for the place that the address names.
  useEffect(() => document.getElementById(hash)?.scrollIntoView(), [hash]);
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return (
    <>
      <header>
        <h1>CASA API reference</h1>
        {useApp().hasServer && <code>{health?.baseUrl ?? ''}</code>}
        <span class="row end">
          <a href={`${rootPath()}/openapi.json`}>openapi.json</a>
          <a href={`${rootPath()}/__admin`}>Dashboard</a>
          <Theme />
        </span>
      </header>
      <div class="body">
        <nav aria-label="Contents">
          {tags.map((tag) => (
            <div key={tag}>
              <h2>{tag}</h2>
              {operations
                .filter((operation) => operation.tag === tag)
                .map(({ id }) => (
                  <a key={id} href={`#${id}`} aria-current={hash === id ? 'location' : undefined}>
                    {id}
                  </a>
                ))}
            </div>
          ))}
          <h2>The contract</h2>
          {sections.map(({ number, title }) => (
            <a key={number} href={`#section-${number}`}>
              {number} {title}
            </a>
          ))}
        </nav>
        <main>
          {operations.map((operation) => (
            <OperationCard key={operation.id} operation={operation} />
          ))}
          {sections.map(({ number, title }) => (
            <Section key={number} number={number} title={title} />
          ))}
        </main>
      </div>
      <Notice />
    </>
  );
}

function OperationCard({ operation }: { operation: Operation }) {
  const { id, method, path, summary, text, parameters, body, responses } = operation;
  return (
    <section class="card operation" id={id} aria-label={id}>
      <div class="head">
        <h2>{summary}</h2>
        <span class="soft mono">{id}</span>
      </div>
      <p class="line mono">
        <span class={`method ${method.toLowerCase()}`}>{method}</span> {path}
      </p>
      {text !== '' && (
        <p>
          <Prose text={text} />
        </p>
      )}
      {parameters.length > 0 && (
        <Fields
          title="Parameters"
          fields={parameters.map(({ place, text: told, ...rest }) => ({ ...rest, text: `In the ${place}. ${told}` }))}
        />
      )}
      {body && <Fields title="Body" fields={body.fields} />}
      <h3>Responses</h3>
      {responses.map((response) => (
        <ResponseDetails key={response.status} response={response} />
      ))}
      <Sources operation={operation} />
      <TryIt operation={operation} />
    </section>
  );
}

function Fields({ title, fields }: { title: string; fields: readonly Field[] }) {
  return (
    <>
      <h3>{title}</h3>
      <table class="fields">
        <Head titles={['Name', 'Type', 'Meaning']} />
        <tbody>
          {fields.map(({ name, type, required, text }) => (
            <tr key={name}>
              <td class="mono">
                {name}
                {required && <span class="bad"> required</span>}
              </td>
              <td class="mono">{type}</td>
              <td>
                <Prose text={text} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function ResponseDetails({ response: { status, text, fields, examples } }: { response: HttpResponse }) {
  return (
    <details>
      <summary>
        <strong class={`mono ${status.startsWith('2') ? 'good' : 'warn'}`}>{status}</strong> <Prose text={text} />
      </summary>
      {fields.length > 0 && <Fields title="Fields" fields={fields} />}
      {examples.map(({ name, value }) => (
        <div key={name}>
          <h3>Example {name}</h3>
          <Json text={JSON.stringify(value)} />
        </div>
      ))}
    </details>
  );
}

function Sources({ operation: { clauses: cited, assumptions } }: { operation: Operation }) {
  return (
    <>
      <details>
        <summary>{countOf(cited.length, 'clause')} of the contract</summary>
        <ul class="list">
          {cited.map((id) => (
            <li key={id}>
              <a class="clause mono" href={`#${id}`}>
                {id}
              </a>{' '}
              <Prose text={factOf(id)} />
            </li>
          ))}
        </ul>
      </details>
      <details>
        <summary>{countOf(assumptions.length, 'assumption')} of the mock about unspecified behavior</summary>
        <ul class="list">
          {assumptions.map((id) => (
            <li key={id}>
              <strong>
                {id} {assumptionTexts[id]?.title}
              </strong>{' '}
              <span class="soft">
                <Prose text={assumptionTexts[id]?.text ?? ''} />
              </span>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

const factOf = (id: string) => (Object.hasOwn(clauses, id) ? clauses[id as keyof typeof clauses].fact : '');

function Section({ number, title }: { number: string; title: string }) {
  return (
    <Card title={`${number} ${title}`} id={`section-${number}`}>
      <ul class="list">
        {allClauses
          .filter(([id]) => id.startsWith(`${number}.`))
          .map(([id, { fact, basis }]) => (
            <li key={id} id={id} class="fact">
              <a class="clause mono" href={`#${id}`}>
                {id}
              </a>{' '}
              <Prose text={fact} /> {basis !== 'stated' && <span class="chip">{basis}</span>}
            </li>
          ))}
      </ul>
    </Card>
  );
}
