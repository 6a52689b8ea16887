// One request with its response, and the notes of the mock about them.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { BasisTable } from '../../contract/basis.ts';
import { BasisOfFields } from './basis.tsx';
import { Rejection } from './control-plane.ts';
import { NextSteps } from './next-steps.tsx';
import { Act, ClauseLink, Copy, countOf, durationOf, Json, sizeOf } from './parts.tsx';
import { statusClass } from './request-log-row.tsx';
import { faultSentence, isLost, networkSentence, statusOf } from './request-log-rows.ts';
import type { LoggedRequest, Violation } from './responses.ts';
import { useApp } from './use-app.ts';

interface Props {
  readonly id: number;
  readonly violations: readonly Violation[];
  readonly close: () => void;
  readonly step: (by: number) => void;
  readonly open: (id: number) => void;
}

export function Drawer({ id, violations, close, step, open }: Props) {
  const loaded = useRecord(id);
  const closing = useRef<HTMLButtonElement>(null);
  const last = useRef(id);
  last.current = id;
  useEffect(() => {
    closing.current?.focus({ preventScroll: true });
    return () => {
      // The row of the request takes the focus, unless something else has it already.
      const { activeElement: at, body } = document;
      if (at !== body && !at?.closest('#drawer')) return;
      (document.getElementById(`request-${last.current}`) ?? document.getElementById('filter'))?.focus();
    };
  }, []);
  const record = loaded?.id === id ? loaded.record : null;
  return (
    <aside class="drawer" id="drawer" aria-label={`Request ${id}`}>
      <div class="head">
        <h2>Request {id}</h2>
        <span class="row">
          <Act does={() => step(-1)} label="Previous (k)">
            ↑
          </Act>
          <Act does={() => step(1)} label="Next (j)">
            ↓
          </Act>
          <button ref={closing} type="button" id="close" onClick={close}>
            Close
          </button>
        </span>
      </div>
      {record ? (
        <Whole record={record} violations={violations} open={open} />
      ) : (
        <p class="empty">{loaded?.problem ?? '…'}</p>
      )}
    </aside>
  );
}

interface Loaded {
  readonly id: number;
  readonly record: LoggedRequest | null;
  readonly problem?: string;
}

function useRecord(id: number): Loaded | null {
  const app = useApp();
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  useEffect(() => {
    let isWanted = true;
    const show = (next: Loaded) => isWanted && setLoaded(next);
    app.ask<LoggedRequest>('GET', `/requests/${id}`).then(
      (record) => show({ id, record }),
      (error) =>
        show({ id, record: null, problem: error instanceof Rejection ? error.message : 'The mock does not respond.' }),
    );
    return () => {
      isWanted = false;
    };
  }, [id, app]);
  return loaded;
}

interface WholeProps extends Pick<Props, 'violations' | 'open'> {
  readonly record: LoggedRequest;
}

function Whole({ record, violations, open }: WholeProps) {
  const { request, response } = record;
  const query = request.query === '' ? '' : `?${request.query}`;
  return (
    <div class="whole" id="detail">
      <p class="mono line">
        <strong>{request.method}</strong> {request.path}
        {query}{' '}
        <span class={isLost(response.network) ? 'bad' : statusClass(response.status)}>
          {statusOf(response.status, response.network)}
        </span>
      </p>
      <Facts record={record} violations={violations} open={open} />
      <NextSteps record={record} open={open} />
      <div class="sides">
        <Side title="Request" message={request} />
        <Side
          title={isLost(response.network) ? 'Response (not sent)' : 'Response'}
          message={response}
          basis={record.basis}
        />
      </div>
      <BasisOfFields basis={record.basis} />
    </div>
  );
}

interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly bodyCut: boolean;
}

interface SideProps {
  readonly title: string;
  readonly message: Message;
  readonly basis?: BasisTable;
}

function Side({ title, message: { headers, body, bodyCut }, basis }: SideProps) {
  return (
    <section class="side" aria-label={title}>
      <div class="head">
        <h3>{title}</h3>
        {body !== null && body !== '' && (
          <Copy text={body} label={`Copy the body of the ${title.toLowerCase()}`}>
            Copy
          </Copy>
        )}
      </div>
      {body === null || body === '' ? <p class="soft">No body.</p> : <Json text={body} basis={basis} />}
      {bodyCut && <p class="soft">The request log stores the first 16 KB.</p>}
      <details open>
        <summary>{countOf(Object.keys(headers).length, 'header')}</summary>
        <dl class="headers mono">
          {Object.entries(headers).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}

function Facts({ record, violations, open }: WholeProps) {
  const { response, replayOf, forwarded } = record;
  const facts = [
    record.complaint,
    record.fault && faultSentence(record.fault),
    record.violates && `The custom response violates the contract: ${record.violates}.`,
    record.blockedBy && `The rate limit of the ${record.blockedBy} blocked this request.`,
    response.network && networkSentence(response.network),
    response.latencyMs && `The response was delayed by ${response.latencyMs} ms.`,
    record.bodyIgnored.length > 0 && `The path overrides ${record.bodyIgnored.join(', ')} of the body.`,
    forwarded && `Forwarded to ${forwarded.url} in ${forwarded.ms} ms.`,
    forwarded?.failure,
    ...record.assumptions,
    ...record.nearMisses.map(({ method, path, why }) => `Did you mean ${method} ${path}? ${why}`),
  ].filter((fact) => typeof fact === 'string' && fact !== '');
  return (
    <ul class="facts">
      {violations.map((violation) => (
        <li key={violation.id} class="bad">
          {violation.message} <ClauseLink id={violation.clause} />
        </li>
      ))}
      {forwarded?.findings.map(({ rule, clause, pointer, expected, actual }) => (
        <li key={`${rule} ${pointer}`} class="bad">
          The deployment violates the contract at {pointer || 'the body'}: expected {expected}, got {actual}.{' '}
          <ClauseLink id={clause} />
        </li>
      ))}
      {replayOf !== null && replayOf !== undefined && (
        <li>
          Replay of{' '}
          <button type="button" class="plain" onClick={() => open(replayOf)}>
            request {replayOf}
          </button>
          .
        </li>
      )}
      {facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
      <li class="soft">
        {record.operation ?? 'No operation'}
        {record.tool && ` through the tool ${record.tool}`}, from {record.address}
        {record.key && `, key ${record.key}`}, {record.at}
        {record.durationMs !== undefined && `, ${durationOf(record.durationMs)}`}
        {record.responseBytes !== undefined && !isLost(response.network) && `, ${sizeOf(record.responseBytes)}`}
      </li>
    </ul>
  );
}
