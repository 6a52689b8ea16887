// The parity card: how the mock knows each operation of the deployment that it follows.
import { useEffect, useState } from 'preact/hooks';
import type { Aspect } from '../../contract/generated/behaviors.ts';
import { aspects, type Parity, type ParityState, spellCell } from '../../contract/parity.ts';
import { Card, Copy, Empty, Head } from './parts.tsx';
import { useApp } from './use-app.ts';

const tones: Readonly<Record<ParityState, string>> = {
  stated: 'good',
  learnt: 'good',
  assumed: 'warn',
  unknown: 'bad',
};

/** Without a profile, the mock has learnt nothing, and the states are not colored. */
const toneOf = (state: ParityState | undefined, { learntOn }: Parity) =>
  state === undefined || learntOn === null ? 'soft' : tones[state];

export function ParityPage() {
  const app = useApp();
  const [card, setCard] = useState<Parity | null>(null);
  useEffect(() => void app.act(async () => setCard(await app.ask<Parity>('GET', '/parity'))), []);
  if (card === null) return <Empty>Loading…</Empty>;
  const { target, learntOn } = card;
  return (
    <>
      <p class="soft space">
        {learntOn === null
          ? 'This mock follows no profile, so it has learnt nothing from a deployment. Start it with --profile FILE to fill this page.'
          : `Learnt from ${target ?? 'a deployment'} on ${learntOn}.`}
      </p>
      <div class="card scroll">
        <table id="parity">
          <Head titles={['Operation', ...Object.values(aspects)]} />
          <tbody>
            {Object.entries(card.operations).map(([id, cells]) => (
              <tr key={id}>
                <th scope="row" class="mono">
                  {id}
                </th>
                {(Object.keys(aspects) as Aspect[]).map((aspect) => (
                  <td key={aspect} class={toneOf(cells[aspect]?.state, card)} title={cells[aspect]?.details.join(', ')}>
                    {spellCell(cells[aspect], card)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Open card={card} state="unknown" title="Unknown" />
      <Open card={card} state="assumed" title="Assumed" />
    </>
  );
}

function Open({ card, state, title }: { card: Parity; state: ParityState; title: string }) {
  const open = Object.values(card.details).filter((detail) => detail.state === state);
  if (open.length === 0) return null;
  return (
    <Card title={title} aside={<span class={`chip ${toneOf(state, card)}`}>{open.length}</span>}>
      <ul class="list">
        {open.map(({ id, about, reason, command }) => (
          <li key={id}>
            <span>
              {about} <span class="soft mono">{id}</span>
            </span>
            <br />
            <small class="soft">{reason}</small>{' '}
            {command && (
              <Copy text={command} label="Copy the command">
                Copy command
              </Copy>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
