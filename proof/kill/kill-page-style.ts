// The look of the kill matrix, light and dark. Columns are classes, because the page's policy lets no style attribute
// in.
const colours = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f5f6f8,#0f1216); --card: light-dark(#fff,#171b21); --ink: light-dark(#1b1f26,#e6e9ef);
  --soft: light-dark(#5b6472,#9ba5b3); --line: light-dark(#e1e5ea,#2a313a); --stripe: light-dark(#f1f3f6,#1c2128);
  --right: light-dark(#1b7440,#74d196); --other: light-dark(#c98a1b,#eebb5c); --bad: light-dark(#b92626,#ff8a85);
  --bad-bg: light-dark(#fdeceb,#3a1b1d); --soso-bg: light-dark(#fdf2d9,#33280f); --good-bg: light-dark(#e5f5ea,#14301f);
  --link: light-dark(#1a5fb4,#82b4ff);
}
:root[data-theme=light] { color-scheme: light }
:root[data-theme=dark] { color-scheme: dark }
`;

const page = `
* { box-sizing: border-box }
html { scroll-padding-top: 4.5rem }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif }
main { max-width: 92rem; margin: 0 auto; padding: 2rem 1.25rem 5rem }
h1 { font-size: 2rem; line-height: 1.2; margin: .1rem 0 .4rem; letter-spacing: -.015em }
h2 { font-size: 1.2rem; margin: 2.4rem 0 .7rem } h3 { font-size: .98rem; margin: 0; overflow-wrap: anywhere }
small { font-weight: 400; color: var(--soft); margin-left: .35rem; font-size: .8em }
p { margin: .25rem 0 } ul { margin: .3rem 0; padding-left: 1.2rem }
code { font-family: ui-monospace,SFMono-Regular,Menlo,Consolas,monospace; font-size: .86em; overflow-wrap: anywhere }
[hidden] { display: none !important }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
.over { text-transform: uppercase; letter-spacing: .09em; font-size: .75rem; color: var(--soft); margin: 0 }
.lead { max-width: 52rem; color: var(--soft) }
.quiet { color: var(--soft); font-size: .88rem }
.cards { display: grid; grid-template-columns: repeat(auto-fit,minmax(9.5rem,1fr)); gap: .8rem; margin: 1.1rem 0 .5rem }
.card, .box, .sheet, #checks table, #clean ul { background: var(--card); border: 1px solid var(--line); border-radius: 12px }
.card { padding: .8rem 1rem; border-top: 3px solid var(--line) }
.cards .card { display: flex; flex-direction: column }
.card.good { border-top-color: var(--right) } .card.soso { border-top-color: var(--other) } .card.bad { border-top-color: var(--bad) }
.cards b { font-size: 1.35rem; line-height: 1.3 } .cards span { color: var(--soft); font-size: .88rem }
.card, .box { overflow-wrap: anywhere }
.box h2 { margin-top: .9rem }
.box { padding: .4rem 1.2rem 1rem; margin-top: 1.4rem } .box.bad { background: var(--bad-bg) }
.bar {
  position: sticky; top: 0; z-index: 3; display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; padding: .7rem 0;
  background: var(--page); border-bottom: 1px solid var(--line);
}
input {
  font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  padding: .35rem .7rem; width: 18rem; max-width: 100%;
}
.chips { display: flex; flex-wrap: wrap; gap: .35rem }
.chip {
  font: inherit; font-size: .86rem; color: inherit; background: var(--card); border: 1px solid var(--line);
  border-radius: 999px; padding: .15rem .7rem; cursor: pointer;
}
.chip[aria-pressed=true] { border-color: var(--link); color: var(--link); box-shadow: inset 0 0 0 1px var(--link) }
#count { margin-left: auto }
.open { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(auto-fill,minmax(19rem,1fr)); gap: .8rem }
.open .card { height: 100% }
.scroll { overflow-x: auto }
#checks table { border-collapse: collapse; width: 100%; font-size: .92rem }
#checks th, #checks td { text-align: left; padding: .35rem .8rem; border-top: 1px solid var(--line); font-weight: 400; vertical-align: top }
#checks thead th { border: 0; color: var(--soft) } #checks .n { text-align: right; font-variant-numeric: tabular-nums }
#checks th .quiet { display: block } #checks .idle th button { color: var(--other) }
#checks svg { width: 9rem; height: 8px; display: block; margin-top: .45rem } #checks rect { fill: var(--right) }
.to { font: inherit; background: none; border: 0; padding: 0; color: var(--link); cursor: pointer; text-align: left }
.columns { list-style: none; columns: 22rem; padding: .8rem 1.1rem }
footer { margin-top: 2.5rem; color: var(--soft); font-size: .9rem }
#says {
  position: fixed; left: 50%; bottom: 1rem; transform: translateX(-50%); max-width: 92vw; background: var(--ink); color: var(--page);
  border-radius: 8px; padding: .4rem .9rem; font-size: .88rem; pointer-events: none;
}
#says:empty { display: none }
`;

const fields = `
.sheet { min-width: max-content; padding: 0 0 .5rem }
.head, .row summary { display: grid; grid-template-columns: 22rem max-content; align-items: center }
.head { align-items: end; padding: .6rem 0 .35rem }
.cells { display: grid; grid-template-columns: repeat(var(--n),1.15rem); height: 100%; padding-right: 1rem }
.head .cells { height: 12.5rem }
.head .to { writing-mode: vertical-rl; transform: rotate(180deg); font-size: .78rem; color: var(--soft); white-space: nowrap; line-height: 1.15rem }
.head .to:hover, .head .lit { color: var(--link); font-weight: 650 }
.clause { border-top: 1px solid var(--line); padding: .35rem 0 }
.clause>p { position: sticky; left: 0; width: min(60rem,88vw); padding: 0 1rem; font-size: .85rem; color: var(--soft) }
.clause code { color: var(--ink) }
.row summary { list-style: none; cursor: pointer; height: 1.45rem } .row summary::-webkit-details-marker { display: none }
.row summary:hover, .row[open] summary { background: var(--stripe) }
.row .cells { grid-template-rows: 100%; align-items: center; background: repeating-linear-gradient(90deg,transparent 0 1.15rem,var(--stripe) 1.15rem 2.3rem) }
.name { padding: 0 .6rem 0 1.6rem; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; font-size: .9rem }
.row.survivor .name { color: var(--bad); font-weight: 650 } .row.other .name { color: var(--other); font-weight: 650 }
.name small { border: 1px solid var(--line); border-radius: 4px; padding: 0 .25rem }
.dot { display: inline-block; width: .72rem; height: .72rem; border-radius: 50%; justify-self: center; grid-row: 1 }
.dot.right { background: var(--right) } .dot.other { border: 2px solid var(--other) }
.cells .dot:hover { transform: scale(1.5) }
.body { position: sticky; left: 0; width: min(60rem,88vw); padding: .3rem 1.6rem .7rem; font-size: .9rem }
.body ul { list-style: none; padding: 0 }
@media (max-width: 48rem) { .head, .row summary { grid-template-columns: 13rem max-content } .bar { position: static } }
`;

export function styleFor(columns: number): string {
  const numbers = Array.from({ length: columns }, (_, index) => index + 1);
  const places = numbers.map((n) => `.c${n}{grid-column:${n}}`).join('');
  const counts = numbers.map((n) => `.n${n}{--n:${n}}`).join('');
  return `${colours}${page}${fields}${places}${counts}.n0{--n:1}`;
}
