// Snapshots of the complete state.
import { quickWorldNames } from '../../worlds/names.ts';
import { save } from './control-plane.ts';
import { readUpload } from './from-file.ts';
import { Act, Card, Empty } from './parts.tsx';
import { useApp, useAppState } from './use-app.ts';

export function SnapshotsPage() {
  const app = useApp();
  const { snapshots } = useAppState();
  const take = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const id = String(new FormData(form).get('id') ?? '');
    app.act(async () => {
      await app.ask('POST', '/snapshots', id === '' ? {} : { id });
      form.reset();
      await app.loadSnapshots();
    });
  };
  return (
    <>
      <Card title="New snapshot">
        <form class="grid" onSubmit={take}>
          <label>
            <span>Name</span>
            <input name="id" maxLength={100} placeholder="generated" />
          </label>
          <button type="submit" class="primary" id="take">
            Take snapshot
          </button>
        </form>
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
  const take = (event: Event) => {
    const input = event.currentTarget as HTMLInputElement;
    const [file] = input.files ?? [];
    if (!file) return;
    app.act(async () => {
      // The same file may be chosen again when it was mended.
      const text = await file.text().finally(() => {
        input.value = '';
      });
      const { method, path, body, done } = readUpload(file.name, text);
      await app.ask(method, path, body);
      await app.loadAll();
      app.tell(done);
    });
  };
  return (
    <Card title="Load a file" id="from-file">
      <label>
        <span>World or snapshot (JSON)</span>
        <input type="file" accept=".json,application/json" onChange={take} />
      </label>
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
        {quickWorldNames.map((name) => (
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
    await app.loadSnapshots();
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
