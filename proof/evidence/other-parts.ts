// Parts of the first page about what others found: tools from outside, runtimes, other servers, the test runner.
import { html, type Markup, sentence } from '../../conformance/reporters/html/markup.ts';
import type { Evidence } from './evidence.ts';
import { type Mood, moment, origin, table, tag } from './page.ts';

export function oraclesPart({ proofs: { oracles } }: Evidence): Markup {
  const rows = (oracles?.result ?? []).map(({ tool, tests, complaints, unexplained, reasons }) => {
    const why = reasons.map(({ count, reason }) => html`<li>${count}: ${sentence(reason)}</li>`);
    return html`<tr><th scope="row">${tool}</th><td class="n">${tests}</td><td class="n">${complaints}</td>
<td class="n">${tag(unexplained > 0 ? 'bad' : 'good', String(unexplained))}</td><td>${why.length > 0 && html`<ul>${why}</ul>`}</td></tr>`;
  });
  return html`<section id="oracles"><h2>Contract-testing tools from outside</h2>
<p>They make their own traffic from the OpenAPI document and judge the built mock.</p>${origin(oracles, 'oracles')}
${oracles !== null && table(['Tool', '#tests', '#complaints', '#without a reason', 'Reasons'], rows)}</section>`;
}

const verdictMoods: Readonly<Record<string, Mood>> = { pass: 'good', fail: 'bad', ok: 'good', FAILS: 'bad' };

export function mcpPart({ proofs: { mcp } }: Evidence): Markup {
  const asked = mcp?.result ?? [];
  const rows = asked
    .filter(({ why }) => why === undefined)
    .map(({ question, verdict }) => {
      return html`<tr><th scope="row">${question}</th><td>${tag(verdictMoods[verdict] ?? '', verdict)}</td></tr>`;
    });
  const idle = asked.filter(({ why }) => why !== undefined);
  const left = [...new Set(idle.map(({ why }) => why ?? ''))].map((why) => {
    const names = idle.filter((one) => one.why === why).map(({ question }) => question);
    return html`<li>${why}: <span class="quiet">${names.join(', ')}</span></li>`;
  });
  return html`<section id="mcp"><h2>The MCP door before the official tools</h2>${origin(mcp, 'mcp')}
${mcp !== null && table(['Question', 'Verdict'], rows)}
${idle.length > 0 && html`<details><summary>${idle.length} questions that do not apply</summary><div><ul>${left}</ul></div></details>`}</section>`;
}

export function runtimesPart({ proofs: { runtimes } }: Evidence): Markup {
  const tried = runtimes?.result ?? [];
  const parts = tried[0]?.parts.map(({ part }) => part) ?? [];
  const rows = parts.map((part, index) => {
    const cells = tried.map(({ parts: own }) => {
      const verdict = own[index]?.verdict ?? '-';
      return html`<td>${tag(verdictMoods[verdict] ?? '', verdict === '-' ? 'not supported' : verdict)}</td>`;
    });
    return html`<tr><th scope="row">${part}</th>${cells}</tr>`;
  });
  return html`<section id="runtimes"><h2>Runtimes</h2><p>The packed package, installed in empty projects. What a tool itself does not support is said so.</p>
${origin(runtimes, 'runtimes')}${runtimes !== null && table(['Part', ...tried.map(({ runtime }) => runtime)], rows)}</section>`;
}

export function benchPart({ proofs: { bench } }: Evidence): Markup {
  const races = (bench?.result.races ?? []).map(({ title, rows }) => {
    const best = Math.max(...rows.map(({ byCpu }) => byCpu));
    const lines = rows.map(
      ({ server, byRequests, byCpu, p50Ms, p99Ms }) =>
        html`<tr><th scope="row">${server}</th><td class="n">${byCpu.toFixed(2)}</td><td class="n">${byRequests.toFixed(2)}</td>
<td class="n">${p50Ms.toFixed(1)}</td><td class="n">${p99Ms.toFixed(1)}</td>
<td><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.round((100 * byCpu) / best)}" height="8"/></svg></td></tr>`,
    );
    return html`<h3>${title}</h3>${table(['Server', '#of node:http, by processor time', '#by requests', '#p50 ms', '#p99 ms', ''], lines)}`;
  });
  const how =
    bench !== null &&
    html`<p class="quiet">Load of the machine before: ${bench.result.load.toFixed(1)}.${bench.result.isQuick && ' Short rounds (--quick).'}
Ratios compare within one run only.</p>`;
  return html`<section id="bench"><h2>Speed beside other servers</h2>${origin(bench, 'bench')}${how}${races}</section>`;
}

export function testsPart({ tests }: Evidence): Markup {
  const rows = tests.map((run) => {
    if (run.at === null)
      return html`<tr><th scope="row"><code>${run.command}</code></th><td colspan="5">${tag('soso', 'not run')}</td></tr>`;
    const isPart = run.files < run.filesThere;
    return html`<tr><th scope="row"><code>${run.command}</code><br><span class="quiet">${moment(run.at)}</span></th><td class="n">${run.passed}</td>
<td class="n">${tag(run.failed > 0 ? 'bad' : 'good', String(run.failed))}</td><td class="n">${run.skipped}</td>
<td class="n">${run.files} of ${run.filesThere}</td><td>${isPart && tag('soso', 'a part only')}</td></tr>`;
  });
  return html`<section id="tests"><h2>Tests</h2>${table(['Command', '#passed', '#failed', '#skipped', '#files', ''], rows)}</section>`;
}
