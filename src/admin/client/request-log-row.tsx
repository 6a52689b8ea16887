import { Component } from 'preact';
import { durationOf, sizeOf, timeOf } from './parts.tsx';
import { badgesOf, isLost, statusOf } from './request-log-rows.ts';
import type { RequestLogRow, Violation } from './responses.ts';

interface Props {
  readonly row: RequestLogRow;
  readonly target: string;
  /** How long ago, in real time. */
  readonly ago: string;
  readonly violations: readonly Violation[];
  readonly isSelected: boolean;
  readonly open: (id: number) => void;
}

/** One request. It is drawn again only when something of it changed: a thousand of them stand on a page. */
export class RequestRow extends Component<Props> {
  override shouldComponentUpdate({ open: _, ...next }: Props): boolean {
    return (Object.keys(next) as (keyof typeof next)[]).some((name) => next[name] !== this.props[name]);
  }

  override render() {
    const { row, target, ago, violations, isSelected, open } = this.props;
    const { id, at, status, method, path, key, address, network, durationMs, responseBytes } = row;
    const look = network === null ? statusClass(status) : 'bad';
    return (
      <tr class={look} aria-current={isSelected ? 'true' : undefined} onClick={() => open(id)}>
        <td class="soft mono no">{id}</td>
        <td class="soft ago" title={`${at} on the clock of the mock`}>
          {ago || timeOf(at)}
        </td>
        <td class={`mono status ${look}`}>{statusOf(status, network)}</td>
        <td class="mono target">
          <button type="button" id={`request-${id}`} class="rowlink" title={path} onClick={() => open(id)}>
            <span class={`verb ${method === 'GET' ? 'soft' : ''}`}>{method}</span> {target}
          </button>
          {badgesOf(row, violations).map(({ kind, text, title }) => (
            <span key={kind} class={`badge ${kind}`} title={title}>
              {text}
            </span>
          ))}
        </td>
        <td class="soft mono client">{key ?? address}</td>
        <td class="soft figure">{durationMs !== undefined && durationOf(durationMs)}</td>
        <td class="soft figure size">{responseBytes !== undefined && !isLost(network) && sizeOf(responseBytes)}</td>
      </tr>
    );
  }
}

export const statusClass = (status: number) => (status < 300 ? 'good' : status < 500 ? 'warn' : 'bad');
