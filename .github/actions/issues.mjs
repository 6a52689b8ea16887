// Keeps one issue for each cause that `calibrate --check` reports. A run with exit code 0 closes them.
// node issues.mjs OUTPUT EXIT_CODE OLD_PROFILE NEW_PROFILE
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const { CASA_GITHUB_TOKEN: token, GITHUB_API_URL: api, GITHUB_REPOSITORY: repository } = process.env;
const [outputFile, exitCode, before, after] = process.argv.slice(2);
const bodyMax = 60_000;
const label = 'casa-kit';

const titles = {
  drift: 'The deployment behaves differently from its profile',
  violation: 'The deployment began to violate the contract',
  'key-revoked': 'The deployment rejects the API key',
  'plan-lapsed': 'The plan of the organization lapsed',
  'data-emptied': 'The organization has no data',
  'limits-used': 'Other clients use up the rate limit',
  maintenance: 'The deployment shows a maintenance page',
  login: 'A login in front of the deployment rejects requests',
  clock: 'The clock of the deployment is wrong',
  unreachable: 'The deployment cannot be reached',
  'too-little': 'Too little of the profile could be compared',
};

const markOf = (cause) => `<!-- casa-kit calibrate-check ${cause} -->`;

async function ask(method, path, body) {
  const response = await fetch(`${api}/repos/${repository}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}`);
  return response.json();
}

/** Four backticks: no line of the text can end the block. */
const block = (kind, text) => `\`\`\`\`${kind}\n${text.replaceAll('````', "'''").slice(0, bodyMax / 2)}\n\`\`\`\``;

function bodyOf(cause, output) {
  const parts = [markOf(cause), block('text', output.trim())];
  if (cause === 'drift' && existsSync(before) && existsSync(after)) {
    const labels = ['--label', `a/${before}`, '--label', `b/${before}`];
    const { stdout } = spawnSync('diff', ['-u', ...labels, before, after], { encoding: 'utf8' });
    parts.push(`To accept the change, apply this patch with \`git apply\`:`, block('diff', stdout ?? ''));
  }
  return parts.join('\n\n');
}

async function main() {
  const output = readFileSync(outputFile, 'utf8');
  const listed = /^Cause: (.*)$/m.exec(output)?.[1] ?? 'unreachable';
  const causes = exitCode === '0' ? [] : listed.split(', ').filter((cause) => Object.hasOwn(titles, cause));
  const open = (await ask('GET', `/issues?state=open&labels=${label}&per_page=100`)).reverse();
  const ofCause = (cause) => open.filter(({ body }) => body?.includes(markOf(cause)));
  for (const cause of causes) {
    const [first, ...copies] = ofCause(cause);
    const body = bodyOf(cause, output);
    if (first === undefined) await ask('POST', '/issues', { title: titles[cause], body, labels: [label] });
    else await ask('PATCH', `/issues/${first.number}`, { body });
    for (const { number } of copies) await ask('PATCH', `/issues/${number}`, { state: 'closed' });
  }
  if (exitCode !== '0') return;
  for (const { number } of Object.keys(titles).flatMap(ofCause))
    await ask('PATCH', `/issues/${number}`, { state: 'closed', state_reason: 'completed' });
}

main().catch(({ message }) => {
  console.log(`::warning title=casa-kit::The issues could not be updated: ${message}. The job needs the permission issues: write.`);
});
