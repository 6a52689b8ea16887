// A twin of the mock, restored from a snapshot in the middle of a run: from then on both are asked the same, and have
// to give the same bytes. A third one is restored from the same snapshot and given the log of changes afterwards, as
// `--save` does.
import type { CommitEntry } from '../../src/engine/commit.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { Snapshot } from '../../src/engine/snapshot.ts';
import { bodyText, type CoreRequest, type CoreResponse } from '../../src/http/message.ts';
import { hold } from './exchange.ts';

/** A mock whose changes can be read. */
export interface Recorded {
  readonly engine: Engine;
  readonly commits: CommitEntry[];
}

/** Begins with the snapshot; `compare` is called for each request after it, `finish` when `isOver`. */
export class Restoration {
  readonly twin: Recorded;
  readonly #original: Recorded;
  readonly #replayed: Engine;
  #left: number;

  constructor(original: Recorded, make: () => Recorded, exchanges: number) {
    const text = JSON.stringify(original.engine.snapshot());
    this.#original = original;
    this.#left = exchanges;
    this.twin = make();
    this.twin.engine.restore(JSON.parse(text) as Snapshot);
    this.#replayed = make().engine;
    this.#replayed.restore(JSON.parse(text) as Snapshot);
    original.commits.length = 0;
    const again = JSON.stringify(this.twin.engine.snapshot());
    hold(
      'restoration',
      again === text,
      () => `a snapshot that was restored reads otherwise: ${difference(text, again)}`,
    );
  }

  /** Whether the twin has been asked as often as it was to be. */
  get isOver(): boolean {
    return this.#left <= 0;
  }

  compare(request: CoreRequest, response: CoreResponse): void {
    this.#left -= 1;
    const other = this.twin.engine.handle(request);
    const [a, b] = [response, other].map((one) => `${one.status} ${JSON.stringify(one.headers)} ${bodyText(one)}`);
    hold('restoration', a === b, () => `a restored mock answers ${request.path} otherwise: ${difference(a, b)}`);
  }

  /**
   * The one that was only told of the changes has to hold the same world as the two that lived through the requests.
   */
  finish(): void {
    this.#replayed.replay(this.#original.commits);
    const expected = JSON.stringify(describe(this.#original.engine));
    for (const [name, engine] of [
      ['restored', this.twin.engine],
      ['replayed', this.#replayed],
    ] as const) {
      const found = JSON.stringify(describe(engine));
      hold(
        'restoration',
        found === expected,
        () => `the ${name} mock holds something else: ${difference(expected, found)}`,
      );
    }
  }
}

function describe(engine: Engine) {
  const { world, faults } = engine.snapshot();
  // Of a rule without a number of times nobody asks how often it has struck, and no log of changes tells.
  const rules = faults.rules.map(({ rule, struck }) => (rule.times === undefined ? { rule } : { rule, struck }));
  return { world, rules, nowMs: engine.clock.now(), frozen: engine.clock.frozen };
}

/** Two snapshots are megabytes; the first place where they part is enough to find the member. */
function difference(a = '', b = ''): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const around = (text: string) => text.slice(Math.max(0, at - 60), at + 60);
  return `…${around(a)}… against …${around(b)}…`;
}
