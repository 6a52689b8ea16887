// The look of the page: light and dark, wide and narrow, screen and paper. No address outside the file is ever asked
// for.
const colours = `
:root {
  color-scheme: light dark; --page: #f5f6f8; --card: #fff; --ink: #1b1f26; --soft: #5b6472; --line: #e1e5ea;
  --well: #f6f7f9; --link: #1a5fb4; --fail: #b92626; --fail-bg: #fdeceb; --warn: #8a5800; --warn-bg: #fdf2d9;
  --pass: #1b7440; --pass-bg: #e5f5ea; --note: #1f5fae; --note-bg: #e7f0fb; --open: #6f42ad; --open-bg: #f1eafa;
  --mute: #5d6673; --mute-bg: #eceff3; --mark: #fff1a8; --name: #8c2f63; --string: #1b6b3a; --other: #1f4fae;
  --shadow: 0 1px 2px rgb(20 25 35/.06),0 4px 14px rgb(20 25 35/.05);
}
@media screen and (prefers-color-scheme:dark) {
  :root {
    --page: #0f1216; --card: #171b21; --ink: #e6e9ef; --soft: #9ba5b3; --line: #2a313a; --well: #11151a;
    --link: #82b4ff; --fail: #ff8a85; --fail-bg: #3a1b1d; --warn: #eebb5c; --warn-bg: #33280f; --pass: #74d196;
    --pass-bg: #14301f; --note: #85b6ff; --note-bg: #16283f; --open: #c7a3ff; --open-bg: #2a1f3d; --mute: #a3adba;
    --mute-bg: #252b33; --mark: #5a4a10; --name: #f5b5d9; --string: #8fdcab; --other: #9cc3ff; --shadow: none;
  }
}
`;

const page = `
* { box-sizing: border-box }
html { scroll-padding-top: 1rem }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;
}
main { max-width: 75rem; margin: 0 auto; padding: 2rem 1.25rem 4rem }
a { color: var(--link); text-decoration: none }
a:hover, .quiet a, li a, summary a { text-decoration: underline }
h1 { font-size: 1.9rem; line-height: 1.2; margin: .1rem 0 .4rem; letter-spacing: -.015em; overflow-wrap: anywhere }
h2 { font-size: 1.25rem; margin: 2.6rem 0 .8rem; letter-spacing: -.01em }
h2 small, h3 small { font-weight: 400; color: var(--soft) }
h3, h4, h5 { margin: 0; font-size: 1rem }
p { margin: .3rem 0 }
code, pre { font-family: ui-monospace,SFMono-Regular,Menlo,Consolas,monospace; font-size: .86em }
code { overflow-wrap: anywhere }
.quiet { color: var(--soft); font-size: .9rem }
.lead { color: var(--soft); max-width: 46rem }
.over { text-transform: uppercase; letter-spacing: .09em; font-size: .75rem; color: var(--soft); margin: 0 }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
nav { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; margin: 1.2rem 0 0; font-size: .92rem }
.banner, .card, .finding-card, .doubt, .section, .list, ul.plain {
  background: var(--card); border: 1px solid var(--line); border-radius: 12px; box-shadow: var(--shadow);
}
.banner { padding: 1.3rem 1.4rem; margin: 1.4rem 0 1rem }
.result { display: flex; gap: 1rem; align-items: center }
.result h2 { margin: 0; font-size: 1.35rem }
.sign {
  flex: none; width: 3rem; height: 3rem; border-radius: 50%; display: grid; place-items: center; font-size: 1.5rem;
  font-weight: 700;
}
.good .sign { background: var(--pass-bg); color: var(--pass) }
.bad .sign { background: var(--fail-bg); color: var(--fail) }
.banner.open .sign { background: var(--open-bg); color: var(--open) }
.share { display: block; width: 100%; height: 8px; border-radius: 4px; background: var(--mute-bg) }
.banner .share { margin: 1.1rem 0 .9rem; height: 10px }
.chips { display: flex; flex-wrap: wrap; gap: .45rem }
.chip {
  font: inherit; font-size: .9rem; border: 1px solid transparent; border-radius: 999px; padding: .16rem .75rem;
  cursor: pointer; color: inherit; background: var(--mute-bg);
}
.chip[aria-pressed=true] { border-color: currentColor; box-shadow: inset 0 0 0 1px currentColor }
.chip:hover { border-color: currentColor }
.cards { display: grid; grid-template-columns: repeat(auto-fit,minmax(15rem,1fr)); gap: 1rem; margin: 0 0 1rem }
.card { padding: 1rem 1.2rem }
.card h3 { font-size: .9rem; font-weight: 600; color: var(--soft) }
.number { font-size: 1.7rem; font-weight: 650; line-height: 1.2; margin: .15rem 0 .5rem }
.number small { font-size: .9rem; font-weight: 400; color: var(--soft) }
.gauge { display: block; width: 100%; height: 12px }
.gauge .track { fill: var(--mute-bg) }
.gauge .range { fill: var(--note); opacity: .4 }
.gauge .needle { fill: var(--ink) }
.runs { display: block; width: 100%; height: 3.2rem; border-bottom: 1px solid var(--line) }
.runs .broken { fill: var(--fail) } .runs .proven { fill: var(--pass) } .runs .part { opacity: .45 }
#history ul { margin: 0 0 1rem; padding-left: 1.2rem } #history details { padding: .7rem 1.2rem } #history summary { cursor: pointer }
#history td, #history th { padding: .25rem .8rem .25rem 0; text-align: left } #history .n { text-align: right }
#history td:first-child { white-space: nowrap }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .92rem }
th, td { text-align: left; padding: .35rem .7rem .35rem 0; border-top: 1px solid var(--line); font-weight: 400 }
thead th { border: 0; color: var(--soft) }
summary { cursor: pointer }
`;

const verdicts = `
.badge {
  display: inline-block; white-space: nowrap; border-radius: 999px; padding: .02rem .6rem; font-size: .8rem;
  font-weight: 600; background: var(--mute-bg); color: var(--mute);
}
.fail.badge, .error.badge, .chip.fail, .chip.error { background: var(--fail-bg); color: var(--fail) }
.warn.badge, .chip.warn { background: var(--warn-bg); color: var(--warn) }
.pass.badge, .chip.pass { background: var(--pass-bg); color: var(--pass) }
.note.badge, .chip.note { background: var(--note-bg); color: var(--note) }
.inconclusive.badge, .chip.inconclusive { background: var(--open-bg); color: var(--open) }
.chip.excluded { color: var(--mute) }
rect.pass { fill: var(--pass) }
rect.fail, rect.error { fill: var(--fail) }
rect.warn { fill: var(--warn) }
rect.note { fill: var(--note) }
rect.inconclusive { fill: var(--open) }
rect.excluded, rect.rest { fill: var(--mute); opacity: .28 }
.legend { font-size: .88rem; color: var(--soft) }
.key {
  display: inline-block; width: .75rem; height: .75rem; border-radius: 3px; margin: 0 .3rem 0 .8rem;
  vertical-align: -1px;
}
.key:first-child { margin-left: 0 }
.key.pass { background: var(--pass) }
.key.fail { background: var(--fail) }
.key.warn { background: var(--warn) }
.key.inconclusive { background: var(--open) }
.key.rest { background: var(--mute); opacity: .28 }
.finding-card { margin: 0 0 1.1rem; border-left: 4px solid var(--fail); padding: 1.1rem 1.3rem }
.finding-card.warn { border-left-color: var(--warn) }
.finding-card>header { display: grid; grid-template-columns: auto 1fr; gap: .1rem .7rem; align-items: center }
.finding-card>header p { grid-column: 1/-1; margin: .1rem 0 0; color: var(--soft) }
.finding-card h3 a { color: inherit }
.finding { border-top: 1px solid var(--line); margin-top: 1rem; padding-top: 1rem }
blockquote { margin: 0 0 .9rem; padding: .1rem 0 .1rem .9rem; border-left: 3px solid var(--line); font-size: 1.03rem }
blockquote footer { font-size: .85rem; color: var(--soft) }
.versus { display: grid; grid-template-columns: repeat(auto-fit,minmax(15rem,1fr)); gap: .7rem; margin: 0 0 .8rem }
.versus>div { border-radius: 8px; padding: .5rem .8rem; background: var(--mute-bg); min-width: 0 }
.versus .expected { background: var(--pass-bg) }
.versus .actual { background: var(--fail-bg) }
.warn .versus .actual { background: var(--warn-bg) }
dt { font-size: .78rem; color: var(--soft) }
dd { margin: 0; overflow-wrap: anywhere }
.message { color: var(--soft) }
.doubt { padding: .9rem 1.2rem; margin-bottom: .8rem }
.doubt ul.plain { background: none; border: 0; box-shadow: none; padding: .4rem 0 0 }
ul.plain { list-style: none; margin: 0; padding: .8rem 1.2rem }
ul.plain li { padding: .15rem 0; overflow-wrap: anywhere }
`;

const exchanges = `
.copy { position: relative; margin: .3rem 0 .8rem }
.copy pre {
  margin: 0; padding: .6rem 5rem .6rem .8rem; background: var(--well); border: 1px solid var(--line);
  border-radius: 8px; white-space: pre-wrap; overflow-wrap: anywhere;
}
.copy button, .tools button {
  font: inherit; font-size: .82rem; color: var(--ink); background: var(--card); border: 1px solid var(--line);
  border-radius: 6px; padding: .15rem .6rem; cursor: pointer;
}
.copy button { position: absolute; top: .45rem; right: .45rem }
.copy button:hover, .tools button:hover { border-color: var(--soft) }
.evidence>summary { color: var(--soft); font-size: .9rem; margin-bottom: .5rem }
.panes { display: grid; grid-template-columns: minmax(0,2fr) minmax(0,3fr); gap: .8rem }
.pane {
  border: 1px solid var(--line); border-radius: 8px; background: var(--well); padding: .7rem .9rem; min-width: 0;
}
.pane h5 {
  font-size: .75rem; text-transform: uppercase; letter-spacing: .07em; color: var(--soft); margin-bottom: .3rem;
}
.line { overflow-wrap: anywhere; font-size: .92rem }
.headers {
  display: grid; grid-template-columns: fit-content(45%) minmax(0,1fr); gap: .05rem .8rem; margin: .4rem 0;
  font-size: .82rem;
}
.headers dt { font-size: inherit; overflow-wrap: anywhere }
.headers dd { font-family: ui-monospace,SFMono-Regular,Menlo,Consolas,monospace; font-size: .95em }
.body {
  margin: .5rem 0 0; padding-top: .5rem; border-top: 1px solid var(--line); overflow-x: auto; line-height: 1.45;
  tab-size: 2;
}
.body i { font-style: normal }
.body .n { color: var(--name) }
.body .s { color: var(--string) }
.body .o { color: var(--other) }
.body .gap { color: var(--soft) }
mark { background: var(--mark); color: inherit; border-radius: 3px }
.body mark {
  display: inline-block; min-width: 100%; box-shadow: inset 3px 0 0 var(--fail); padding-left: .35rem;
  margin-left: -.35rem;
}
.trouble { color: var(--fail) }
.section { margin-bottom: .45rem; border-radius: 9px; box-shadow: none }
.section>summary {
  display: grid; grid-template-columns: 15rem 1fr 7rem; gap: 1rem; align-items: center; padding: .55rem 1rem;
}
.section .name { font-weight: 600 }
.amount { color: var(--soft); font-size: .86rem; text-align: right }
.clauses { list-style: none; margin: 0; padding: .2rem 1rem .8rem }
.clauses li {
  display: grid; grid-template-columns: 8.5rem 1fr; gap: .7rem; padding: .45rem 0;
  border-top: 1px solid var(--line);
}
.clauses li>div { min-width: 0 }
.clauses .badge { justify-self: start; align-self: start }
.clauses p { margin: .05rem 0 }
.clauses em { color: var(--soft); font-size: .85rem }
.tools { display: flex; gap: .6rem; margin-bottom: .7rem }
.tools input {
  flex: 1; min-width: 0; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line);
  border-radius: 9px; padding: .45rem .8rem;
}
.list { overflow: hidden }
.list>details { border-top: 1px solid var(--line) }
.list>details:first-child { border-top: 0 }
.check>summary, .exchange>summary {
  display: grid; gap: .8rem; align-items: baseline; padding: .5rem 1rem; list-style: none;
}
.list summary::-webkit-details-marker { display: none }
.list summary:hover { background: var(--well) }
.check>summary { grid-template-columns: 8.5rem 15rem minmax(0,1fr) 6.5rem }
.exchange>summary { grid-template-columns: 3rem 3rem minmax(0,1fr) auto }
.check .badge { justify-self: start }
.id { font-weight: 600; overflow-wrap: anywhere }
.title { color: var(--soft); overflow-wrap: anywhere }
.inside { padding: .2rem 1rem 1.1rem }
.inside h4 { font-size: .86rem; margin: .7rem 0 .2rem; color: var(--soft) }
.sentences { margin: 0; padding-left: 1.1rem }
.sentences li { padding: .1rem 0; overflow-wrap: anywhere }
.status.x2 { color: var(--pass) }
.status.x4 { color: var(--warn) }
.status.x5, .status.x0, .status.x3 { color: var(--fail) }
:target, .reached { outline: 2px solid var(--link); outline-offset: -1px }
footer.end { margin-top: 3rem; color: var(--soft); font-size: .88rem }
[hidden] { display: none!important }
`;

const narrow = `
@media (max-width:52rem) {
  main { padding: 1.2rem .8rem 3rem }
  h1 { font-size: 1.5rem }
  .panes { grid-template-columns: minmax(0,1fr) }
  .section>summary { grid-template-columns: 1fr auto; gap: .3rem .8rem }
  .section .bar { grid-column: 1/-1; grid-row: 2 }
  .check>summary { grid-template-columns: auto 1fr; gap: .15rem .6rem }
  .check .title { grid-column: 1/-1 }
  .check .amount { display: none }
  .exchange>summary { grid-template-columns: auto auto minmax(0,1fr); gap: .1rem .6rem }
  .exchange .amount { grid-column: 1/-1; text-align: left }
  .clauses li { grid-template-columns: 1fr; gap: .2rem }
  .finding-card { padding: .9rem }
  .copy pre { padding-right: .8rem; padding-bottom: 2.4rem }
  .copy button { top: auto; bottom: .45rem }
}
@media print {
  :root { color-scheme: light; --page: #fff; --shadow: none }
  body { font-size: 11px }
  main { max-width: none; padding: 0 }
  nav, .tools, .copy button, .chips { display: none }
  .finding, .pane, .card, .section>summary { break-inside: avoid }
  .panes { grid-template-columns: 1fr 1fr }
  #exchanges { display: none }
  .body { white-space: pre-wrap; overflow-wrap: anywhere }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact }
}
`;

export const style = [colours, page, verdicts, exchanges, narrow].join('').replace(/\s*\n\s*/g, '');
