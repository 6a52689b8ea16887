// What the dashboard does. Whatever comes from a client is put on the page as text, never as markup.

export const dashboardScript = String.raw`
'use strict';
const base = '/__admin';
const $ = (id) => document.getElementById(id);
let token = sessionStorage.getItem('casa-admin-token') || '';
let clock = { nowMs: 0, scale: 0, seenMs: 0 };
let rows = [];

function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value);
  }
  for (const child of children) if (child !== null && child !== undefined) node.append(child);
  return node;
}
const fill = (id, ...children) => $(id).replaceChildren(...children);
const headers = () => (token ? { 'x-casa-admin-token': token } : {});

function note(text) {
  $('note').textContent = text;
  $('note').hidden = false;
  clearTimeout(note.timer);
  note.timer = setTimeout(() => { $('note').hidden = true; }, 6000);
}

async function ask(method, path, body) {
  const response = await fetch(base + path, {
    method,
    headers: { ...headers(), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = await response.json();
  if (response.status === 401) $('login').hidden = false;
  if (!response.ok) throw new Error(answer.error ? answer.error.message : 'HTTP ' + response.status);
  return answer;
}
const act = (work) => async (event) => {
  if (event) event.preventDefault();
  try { await work(event); } catch (error) { note(error.message); }
};

function copyable(text, className) {
  return el('button', { class: 'plain mono ' + (className || ''), title: 'Copy', onclick: () =>
    navigator.clipboard.writeText(text).then(() => note('Copied.'), () => note(text)) }, text);
}

function showClock(now) {
  clock = { nowMs: now.nowMs, scale: now.scale, seenMs: performance.now() };
  $('freeze').textContent = now.frozen ? 'Resume' : 'Freeze';
  $('freeze').dataset.act = now.frozen ? 'resume' : 'freeze';
  $('scale').value = ['1', '10', '60', '3600'].includes(String(now.scale)) ? String(now.scale) : '';
  $('pace').textContent = now.frozen ? 'frozen' : now.scale === 1 ? 'running' : 'running ' + now.scale + '×';
  tick();
}
function tick() {
  if (!clock.seenMs) return;
  const now = new Date(clock.nowMs + (performance.now() - clock.seenMs) * clock.scale).toISOString();
  fill('now', now.slice(0, 10) + ' ' + now.slice(11, 19), el('span', { class: 'soft' }, ' UTC'));
}
setInterval(tick, 250);

const statusClass = (status) => (status < 300 ? 'good' : status < 500 ? 'warn' : 'bad');

async function loadHealth() {
  const health = await ask('GET', '/health');
  fill('base', copyable(health.baseUrl));
  $('profile').textContent = health.profile;
  showClock(health.clock);
}

async function loadOrganizations() {
  const { baseUrl, organizations } = await ask('GET', '/organizations');
  fill('organizations', ...organizations.slice(-20).map((organization) => el('li', {},
    el('strong', {}, organization.name), ' ', el('span', { class: 'soft mono' }, organization.id), ' ',
    organization.payment === 'ok' ? null : el('span', { class: 'chip warn' }, organization.payment),
    ...organization.keys.map(({ key, label, revoked }) => el('div', {}, copyable(key),
      el('span', { class: 'soft' }, label + (revoked ? ' (revoked: 401)' : '')))),
    el('details', {}, el('summary', {}, organization.accounts.length + ' accounts'), accountTable(organization.accounts)))));
  const first = organizations.flatMap(({ keys }) => keys).find(({ revoked }) => !revoked);
  $('curl').textContent = 'curl -H "Authorization: Bearer ' + (first ? first.key : '<key>') + '" "' + baseUrl + '/articles?limit=3"';
}
function accountTable(accounts) {
  return el('table', {}, ...accounts.map((account) => el('tr', {},
    el('td', {}, account.provider, el('div', { class: 'soft' }, account.label)),
    el('td', {}, el('span', { class: account.status === 'connected' ? 'good' : 'warn' }, account.status),
      account.locked ? ' locked' : '', account.trouble === 'none' ? '' : ' ' + account.trouble),
    el('td', {}, copyable(account.accountId)))));
}

async function loadLimits() {
  const { enforced, address, key } = await ask('GET', '/limits');
  $('limits').textContent = enforced
    ? address.limit + ' in ' + address.windowMs / 1000 + ' s an address, ' + key.limit + ' in ' + key.windowMs / 1000 + ' s a key'
    : 'off';
  $('enforce').textContent = enforced ? 'Lift' : 'Enforce';
  $('enforce').dataset.to = String(!enforced);
}

async function loadFaults() {
  const { faults } = await ask('GET', '/faults');
  fill('faults', ...faults.map(({ id, match, struck, ...effects }) => el('li', {}, el('div', { class: 'head' },
    el('span', {}, el('strong', {}, Object.values(match).join(' ') || 'every request'), ' ',
      el('span', { class: 'mono' }, Object.entries(effects).map((pair) => pair.join(' ')).join(', ')),
      el('span', { class: 'soft' }, ' struck ' + struck)),
    el('button', { onclick: act(() => ask('DELETE', '/faults/' + encodeURIComponent(id))) }, 'Remove')))));
  if (faults.length === 0) fill('faults', el('li', { class: 'soft' }, 'None: every answer is a good one.'));
}

async function loadVerdicts() {
  const { verdicts } = await ask('GET', '/verdicts');
  fill('verdicts', ...verdicts.slice(-50).reverse().map(({ rule, clause, message, requestIds }) => el('li', {},
    el('strong', { class: 'bad' }, rule), ' ', message, ' ', el('span', { class: 'soft' }, clause + ' '),
    ...requestIds.map((id) => el('button', { class: 'plain', onclick: act(() => showRequest(id)) }, '#' + id)))));
  if (verdicts.length === 0) fill('verdicts', el('li', { class: 'good' }, 'No client did anything against the contract.'));
}

async function loadJournal() {
  const { requests } = await ask('GET', '/requests?limit=200');
  rows = requests.map(({ request, response, ...rest }) => ({ ...request, ...rest, status: response.status }));
  showJournal();
}
function showJournal() {
  const wanted = $('filter').value.toLowerCase();
  const fits = (row) => !wanted || [row.method, row.path, row.query, row.status, row.operation, row.key, row.fault, row.blockedBy]
    .join(' ').toLowerCase().includes(wanted);
  fill('journal', ...rows.filter(fits).slice(0, 200).map((row) => el('tr', { onclick: act(() => showRequest(row.id)) },
    el('td', { class: 'soft mono' }, '#' + row.id), el('td', { class: 'mono' }, row.at.slice(11, 19)),
    el('td', { class: statusClass(row.status) }, String(row.status)),
    el('td', { class: 'mono' }, row.method + ' ' + row.path + (row.query ? '?' + row.query : '')),
    el('td', { class: 'soft' }, row.operation || 'no operation'),
    el('td', { class: 'soft' }, row.blockedBy ? row.blockedBy + ' limiter' : row.fault ? 'fault ' + row.fault : row.key || ''))));
}
async function showRequest(id) {
  const record = await ask('GET', '/requests/' + id);
  $('detail').textContent = JSON.stringify(record, null, 2);
  $('detailbox').hidden = false;
  $('detailbox').scrollIntoView({ block: 'nearest' });
}

const loadAll = () => Promise.all([loadHealth(), loadOrganizations(), loadLimits(), loadFaults(), loadVerdicts(), loadJournal()]);
const reload = { faults: loadFaults, limits: loadLimits, organizations: loadOrganizations, calls: async () => {} };
let drawing = false;

function hear(name, data) {
  if (name === 'clock') showClock(data);
  else if (name === 'verdict') act(loadVerdicts)();
  else if (name === 'change') act(reload[data.what])();
  else if (name === 'reset') act(loadAll)();
  else if (name === 'exchange') {
    rows = [data, ...rows].slice(0, 1000);
    if (drawing) return;
    drawing = true;
    requestAnimationFrame(() => { drawing = false; showJournal(); });
    if (data.fault) act(loadFaults)();
  }
}

async function listen() {
  try {
    const response = await fetch(base + '/events', { headers: headers() });
    if (!response.ok) throw new Error('closed');
    $('dot').classList.add('on');
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const parts = (rest + value).split('\n\n');
      rest = parts.pop();
      for (const part of parts) {
        const found = /^event: (.*)\ndata: (.*)$/m.exec(part);
        if (found) hear(found[1], JSON.parse(found[2]));
      }
    }
  } catch {}
  $('dot').classList.remove('on');
  setTimeout(start, 2000);
}

async function start() {
  try { await loadAll(); } catch (error) {
    if (!$('login').hidden) return;
    $('dot').classList.remove('on');
    setTimeout(start, 2000);
    return;
  }
  listen();
}

for (const button of document.querySelectorAll('[data-advance]'))
  button.addEventListener('click', act(() => ask('POST', '/clock/advance', { duration: button.dataset.advance })));
$('freeze').addEventListener('click', act(() => ask('POST', '/clock/' + $('freeze').dataset.act)));
$('scale').addEventListener('change', act(() => ask('POST', '/clock/scale', { scale: Number($('scale').value) })));
$('enforce').addEventListener('click', act(() => ask('PUT', '/limits', { enforced: $('enforce').dataset.to === 'true' })));
$('ring').addEventListener('click', act(async () => {
  const { call } = await ask('POST', '/calls', { durationS: 60 });
  note('It rings: ' + call.id + '. Advance the clock by 6 minutes to see it in the call log.');
}));
$('fresh').addEventListener('click', act(async () => { note('Key ' + (await ask('POST', '/organizations', {})).key); }));
$('reset').addEventListener('click', act(async () => { if (confirm('Back to the start: world, faults, limits, journal?')) await ask('POST', '/reset'); }));
$('clear').addEventListener('click', act(async () => { await ask('DELETE', '/requests'); await loadJournal(); }));
$('pardon').addEventListener('click', act(async () => { await ask('DELETE', '/verdicts'); await loadVerdicts(); }));
$('filter').addEventListener('input', showJournal);
$('closedetail').addEventListener('click', () => { $('detailbox').hidden = true; });
$('faultform').addEventListener('submit', act(async () => {
  const given = Object.fromEntries([...new FormData($('faultform'))].filter(([, value]) => value !== ''));
  const { operation, accountId, error, network, ...numbers } = given;
  await ask('POST', '/faults', {
    match: { ...(operation ? { operation } : {}), ...(accountId ? { accountId } : {}) },
    ...(error ? { error } : {}), ...(network ? { network } : {}),
    ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)])),
  });
  $('faultform').reset();
}));
$('loginform').addEventListener('submit', act(async () => {
  token = $('token').value;
  sessionStorage.setItem('casa-admin-token', token);
  $('login').hidden = true;
  await start();
}));
start();
`;
