// Snapshots of the complete state.

import { isObject } from '../../contract/json.ts';
import { worldNames } from '../../worlds/names.ts';
import { save } from './control-plane.ts';
import { Act, Card, Empty, Field, type Fields, FilePick, Form } from './parts.tsx';
import { useApp, useAppState } from './use-app.ts';

export function SnapshotsPage() {
  const app = useApp();
  const { snapshots } = useAppState();
  const take = async (wish: Fields, form: HTMLFormElement) => {
    await app.ask('POST', '/snapshots', wish);
    form.reset();
    await app.loadList('snapshots');
  };
  return (
    <>
      <Card title="New snapshot">
        <Form submit={take} send="Take snapshot" sendId="take">
          <Field label="Name" name="id" maxLength={100} placeholder="generated" />
        </Form>
        <p class="soft">
          A snapshot contains data, rate limits, clock, faults, request log and violations. The mock stores up to 50 in
          memory.
        </p>
      </Card>
      <Card title="Snapshots" id="snapshots">
        {snapshots.length === 0 ? (
          <Empty>No snapshots yet. Take one above, or load a file.</Empty>
        ) : (
          <ul class="list">
            {snapshots.map(({ id, at }) => (
              <Snapshot key={id} id={id} at={at} />
            ))}
          </ul>
        )}
      </Card>
      <FromFile />
      <Worlds />
    </>
  );
}

/** Loads a file: a snapshot is added to the list, a world replaces the data. */
function FromFile() {
  const app = useApp();
  const take = async (name: string, file: string) => {
    const { method, path, body, done } = readUpload(name, file);
    await app.ask(method, path, body);
    await app.loadAll();
    app.tell(done);
  };
  return (
    <Card title="Load a file" id="from-file">
      <FilePick label="World or snapshot (JSON)" take={take} />
      <p class="soft">
        A world (complete or in parts, see <code>casa seed</code>) replaces the current data. A snapshot is added to the
        list above.
      </p>
    </Card>
  );
}

/** The built-in ones. */
function Worlds() {
  const app = useApp();
  const run = async (name: string) => {
    await app.ask('PUT', '/world', { world: name });
    await app.loadAll();
    app.tell(`Loaded the world ${name}.`);
  };
  return (
    <Card title="Built-in worlds" id="worlds">
      <div class="row">
        {worldNames.map((name) => (
          <Act key={name} label={`Load the world ${name}`} does={() => run(name)}>
            {name}
          </Act>
        ))}
      </div>
      <p class="soft">Loading replaces the data only. Reset everything restores the initial world.</p>
    </Card>
  );
}

function Snapshot({ id, at }: { id: string; at: string }) {
  const app = useApp();
  const path = `/snapshots/${encodeURIComponent(id)}`;
  const restore = async () => {
    await app.ask('POST', `${path}/restore`);
    app.tell(`Restored ${id}.`);
  };
  const remove = async () => {
    await app.ask('DELETE', path);
    await app.loadList('snapshots');
  };
  return (
    <li class="spread">
      <span>
        <strong>{id}</strong> <span class="soft mono">{at}</span>
      </span>
      <span class="row">
        <Act kind="primary" label={`Restore ${id}`} does={restore}>
          Restore
        </Act>
        <Act label={`Download ${id}`} does={async () => save(await app.ask('GET', path), `${id}.json`)}>
          Download
        </Act>
        <Act label={`Remove ${id}`} does={remove}>
          Remove
        </Act>
      </span>
    </li>
  );
}

// Files of worlds and snapshots, distinguished by their content.

/** The mock takes no larger bodies. */
export const fileBytesMax = 2_500_000;

/** The sentence of an error says what to do. */
export function readUpload(name: string, text: string) {
  const value = parseFile(name, text, 'a world file or a snapshot');
  const whole = isObject(value.snapshot) ? value.snapshot : value;
  if (whole.casaSnapshot !== undefined) {
    const id = typeof value.id === 'string' ? value.id : name.replace(/\.json$/i, '');
    const { casaSnapshot, world, limits, clock, random, faults, behaviors } = whole;
    const snapshot = { casaSnapshot, world, limits, clock, random, faults, behaviors };
    return {
      method: 'PUT',
      path: `/snapshots/${encodeURIComponent(id)}`,
      body: bounded(name, { snapshot }),
      done: `Added the snapshot ${id}.`,
    };
  }
  return {
    method: 'PUT',
    path: '/world',
    body: bounded(name, { world: value }),
    done: `Loaded the world from ${name}.`,
  };
}

/** The JSON object of a file; the sentence of an error names what was wanted. */
export function parseFile(name: string, text: string, wanted: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw new Error(`${name} is not valid JSON. Choose ${wanted}.`);
  }
  if (!isObject(value)) throw new Error(`${name} contains no JSON object. Choose ${wanted}.`);
  return value;
}

function bounded(name: string, body: object): object {
  if (JSON.stringify(body).length <= fileBytesMax) return body;
  throw new Error(`${name} is larger than ${fileBytesMax / 1e6} MB. Start the mock with --data to load it.`);
}
