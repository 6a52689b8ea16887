// Snapshots: keep everything as it is now, and come back to it.
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
      <Card title="Keep everything as it is now">
        <form class="grid" onSubmit={take}>
          <label>
            <span>Name</span>
            <input name="id" maxLength={100} placeholder="the mock chooses one" />
          </label>
          <button type="submit" class="primary" id="take">
            Take a snapshot
          </button>
        </form>
        <p class="soft">
          World, windows, clock, faults, request log and violations. The mock keeps fifty as long as it runs.
        </p>
      </Card>
      <Card title="Kept" id="snapshots">
        {snapshots.length === 0 ? (
          <Empty>No snapshot yet.</Empty>
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

/** A file is told by what it holds: a snapshot joins the others, a world runs at once. */
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
    <Card title="From a file" id="from-file">
      <label>
        <span>A world or a snapshot, as JSON</span>
        <input type="file" accept=".json,application/json" onChange={take} />
      </label>
      <p class="soft">
        A world (of <code>casa seed</code>, or parts of one) takes the place of the running one at once. A snapshot
        joins those above.
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
    app.tell(`The world ${name} runs.`);
  };
  return (
    <Card title="Another world" id="worlds">
      <div class="row">
        {quickWorldNames.map((name) => (
          <Act key={name} label={`Run the world ${name}`} does={() => run(name)}>
            {name}
          </Act>
        ))}
      </div>
      <p class="soft">
        Faults, limits, clock, requests and violations stay. A reset goes back to the world of the start.
      </p>
    </Card>
  );
}

function Snapshot({ id, at }: { id: string; at: string }) {
  const app = useApp();
  const path = `/snapshots/${encodeURIComponent(id)}`;
  const restore = async () => {
    await app.ask('POST', `${path}/restore`);
    app.tell(`Everything is as in ${id}.`);
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
        <Act label={`Save ${id} as a file`} does={async () => save(await app.ask('GET', path), `${id}.json`)}>
          Save
        </Act>
        <Act label={`Remove ${id}`} does={remove}>
          Remove
        </Act>
      </span>
    </li>
  );
}
