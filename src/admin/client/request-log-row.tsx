import { Component } from 'preact';
import { timeOf } from './parts.tsx';
import { badgesOf } from './request-log-rows.ts';
import type { RequestLogRow, Violation } from './responses.ts';

interface Props {
  readonly row: RequestLogRow;
  readonly violations: readonly Violation[];
  readonly isSelected: boolean;
  readonly open: (id: number) => void;
}

/** One request. It is drawn again only when something of it changed: a thousand of them stand on a page. */
export class Row extends Component<Props> {
  override shouldComponentUpdate(next: Props): boolean {
    const { row, violations, isSelected } = this.props;
    return next.row !== row || next.violations !== violations || next.isSelected !== isSelected;
  }

  override render() {
    const { row, violations, isSelected, open } = this.props;
    const { id, at, status, method, path, query, operation, key, address, network } = row;
    return (
      <tr aria-current={isSelected ? 'true' : undefined} onClick={() => open(id)}>
        <td class="soft mono">{id}</td>
        <td class="mono">{timeOf(at)}</td>
        <td class={`mono ${network === null ? statusClass(status) : 'bad'}`}>{status}</td>
        <td class="mono target">
          <button type="button" class="rowlink" onClick={() => open(id)}>
            {method} {path}
            {query === '' ? '' : `?${query}`}
          </button>
          {badgesOf(row, violations).map(({ kind, text, title }) => (
            <span key={kind} class={`badge ${kind}`} title={title}>
              {text}
            </span>
          ))}
        </td>
        <td class="soft">{operation ?? ''}</td>
        <td class="soft mono">{key ?? address}</td>
      </tr>
    );
  }
}

export const statusClass = (status: number) => (status < 300 ? 'good' : status < 500 ? 'warn' : 'bad');
