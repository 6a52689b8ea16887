// The dashboard: one page that loads nothing from elsewhere and runs nothing but its own script, which the policy names
// by its digest. The page holds no data; the script asks for it.
import { errorExamples } from '../contract/generated/errors.ts';
import { operations } from '../contract/generated/operations.ts';
import { tools } from '../contract/generated/tools.ts';
import { networkFaults } from '../domain/faults.ts';
import type { CoreResponse } from '../http/message.ts';
import { script, scriptDigest, style, styleDigest } from './generated/dashboard-page.ts';
import { replyText } from './reply.ts';

/** The targets of a fault: operations through both doors, tools through the MCP door. */
const targets = [...Object.keys(operations), ...Object.keys(tools)];

const policy = [
  "default-src 'none'",
  `script-src '${scriptDigest}'`,
  `style-src '${styleDigest}'`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page is open to everyone who may reach it; its data is not. */
export const showDashboard = (): CoreResponse =>
  replyText(page, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  });

const options = (names: readonly string[]) => names.map((name) => `<option>${name}</option>`).join('');
const advance = (duration: string) => `<button data-advance="${duration}">+${duration}</button>`;

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>casa mock</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<header>
  <h1>casa mock</h1>
  <span class="dot" id="dot" title="Live connection"></span>
  <span id="base"></span>
  <span class="chip" id="profile"></span>
  <span class="grow"></span>
  <button id="reset">Reset everything</button>
</header>
<main>
  <section id="login" class="wide" hidden>
    <h2>Admin token</h2>
    <form id="loginform">
      <input class="wide" id="token" type="password" autocomplete="off" aria-label="Admin token">
      <button class="primary wide">Open</button>
    </form>
  </section>
  <div class="column">
    <section>
      <div class="head"><h2>Clock</h2><span class="chip" id="pace"></span></div>
      <div class="big" id="now">…</div>
      <div class="row">${['1s', '1m', '5m', '1h', '1d'].map(advance).join('')}</div>
      <div class="row"><button id="freeze">Freeze</button>
        <select id="scale" aria-label="Pace"><option value="" hidden></option><option value="1">1×</option>
        <option value="10">10×</option><option value="60">60×</option><option value="3600">3600×</option></select></div>
    </section>
    <section>
      <div class="head"><h2>Keys and accounts</h2><button id="fresh">Fresh organization</button></div>
      <ul id="organizations"></ul>
      <pre id="curl"></pre>
    </section>
    <section>
      <div class="head"><h2>Calls</h2><button id="ring">Ring one</button></div>
      <span class="soft">A call reaches pollers when it has been over for five minutes on the clock.</span>
    </section>
    <section>
      <div class="head"><h2>Rate limits</h2><button id="enforce">Lift</button></div>
      <span id="limits" class="soft"></span>
    </section>
  </div>
  <div class="column">
    <section>
      <div class="head"><h2>Verdicts on clients</h2><button id="pardon">Clear</button></div>
      <ul id="verdicts"></ul>
    </section>
    <section>
      <h2>Faults</h2>
      <ul id="faults"></ul>
      <details><summary>Add a fault</summary>
        <form id="faultform">
          <label>Operation <select name="operation"><option value="">every one</option>${options(targets)}</select></label>
          <label>Account id <input name="accountId" placeholder="any"></label>
          <label>Error <select name="error"><option value="">none</option>${options(Object.keys(errorExamples))}</select></label>
          <label>Network <select name="network"><option value="">intact</option>${options(networkFaults)}</select></label>
          <label>Latency in ms <input name="latencyMs" type="number" min="0" max="600000"></label>
          <label>Times <input name="times" type="number" min="1" placeholder="always"></label>
          <label>Probability <input name="probability" type="number" min="0" max="1" step="any" placeholder="1"></label>
          <button class="primary">Add</button>
        </form>
      </details>
    </section>
    <section>
      <div class="head"><h2>Journal</h2><input id="filter" placeholder="Filter" aria-label="Filter the journal"><button id="clear">Clear</button></div>
      <table><tbody id="journal"></tbody></table>
      <div id="detailbox" hidden><div class="head"><h2>Request</h2><button id="closedetail">Close</button></div><pre id="detail"></pre></div>
    </section>
  </div>
</main>
<div id="note" role="status" hidden></div>
<script>${script}</script>
</body>
</html>
`;
