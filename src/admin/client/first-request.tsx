// What the journal shows before the first request came: how to send one.
import { Act, Copy, Empty } from './parts.tsx';
import { useAppState } from './use-app.ts';

export function FirstRequest() {
  const { health, organizations } = useAppState();
  const usable = organizations.flatMap(({ keys }) => keys).find(({ revoked }) => !revoked);
  const url = `${health?.baseUrl ?? ''}/articles?limit=3`;
  const key = usable?.key ?? '<key>';
  const command = `curl -H "Authorization: Bearer ${key}" "${url}"`;
  return (
    <Empty>
      <strong>No request came yet.</strong> Point your app at <code>{health?.baseUrl}</code>, or send a first request:
      <code class="block" id="curl">
        {command}
      </code>
      <span class="row">
        <Copy text={command} label="Copy the command">
          Copy
        </Copy>
        {usable && (
          <Act kind="primary" does={() => fetch(url, { headers: { authorization: `Bearer ${usable.key}` } })}>
            Send it from here
          </Act>
        )}
      </span>
    </Empty>
  );
}
