// The look of the evidence pages, light and dark. There is no script.
export const style = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f5f6f8,#0f1216); --card: light-dark(#fff,#171b21); --ink: light-dark(#1b1f26,#e6e9ef);
  --soft: light-dark(#565f6d,#a1abb9); --line: light-dark(#e1e5ea,#2a313a); --stripe: light-dark(#f1f3f6,#1c2128);
  --good: light-dark(#17653a,#74d196); --soso: light-dark(#8a5a00,#eebb5c); --bad: light-dark(#b02121,#ff8a85);
  --good-bg: light-dark(#e5f5ea,#14301f); --soso-bg: light-dark(#fdf2d9,#33280f); --bad-bg: light-dark(#fdeceb,#3a1b1d);
  --link: light-dark(#1a5fb4,#82b4ff);
}
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif }
main, nav { max-width: 66rem; margin: 0 auto; padding: 0 1.25rem }
main { padding-bottom: 5rem }
nav { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; padding-top: 1.1rem; font-size: .9rem }
nav a[aria-current] { color: var(--ink); font-weight: 650; text-decoration: none }
a { color: var(--link) }
h1 { font-size: 2rem; line-height: 1.2; margin: 1.2rem 0 .4rem; letter-spacing: -.015em }
h2 { font-size: 1.25rem; margin: 2.6rem 0 .4rem; scroll-margin-top: 1rem } h3 { font-size: 1rem; margin: 1.4rem 0 .4rem }
small { font-weight: 400; color: var(--soft); margin-left: .35rem; font-size: .8em }
p { margin: .35rem 0; max-width: 46rem } ul { margin: .4rem 0; padding-left: 1.2rem }
code { font-family: ui-monospace,SFMono-Regular,Menlo,Consolas,monospace; font-size: .86em; overflow-wrap: anywhere }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
.lead, .quiet { color: var(--soft) } .quiet { font-size: .88rem }
.cards { display: grid; grid-template-columns: repeat(auto-fit,minmax(10rem,1fr)); gap: .8rem; margin: 1rem 0 }
.card { display: flex; flex-direction: column; padding: .8rem 1rem; background: var(--card); border: 1px solid var(--line);
  border-top: 3px solid var(--line); border-radius: 12px }
.card b { font-size: 1.35rem; line-height: 1.3 } .card span { color: var(--soft); font-size: .88rem }
.card.good { border-top-color: var(--good) } .card.soso { border-top-color: var(--soso) } .card.bad { border-top-color: var(--bad) }
.tag { display: inline-block; border-radius: 999px; padding: 0 .6rem; font-size: .84rem; white-space: nowrap; background: var(--stripe); color: var(--soft) }
.tag.good { background: var(--good-bg); color: var(--good) } .tag.soso { background: var(--soso-bg); color: var(--soso) }
.tag.bad { background: var(--bad-bg); color: var(--bad) }
.box { background: var(--soso-bg); border: 1px solid var(--line); border-radius: 12px; padding: .7rem 1rem; margin: .6rem 0; max-width: 46rem }
.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 12px; margin: .7rem 0 }
table { border-collapse: collapse; width: 100%; font-size: .92rem }
th, td { text-align: left; padding: .4rem .8rem; border-top: 1px solid var(--line); vertical-align: top; font-weight: 400 }
thead th { border-top: 0; color: var(--soft); white-space: nowrap; font-size: .86rem }
.wide { min-width: 15rem }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
tfoot th, tfoot td { border-top: 2px solid var(--line); font-weight: 650 }
details { background: var(--card); border: 1px solid var(--line); border-radius: 10px; margin: .4rem 0; overflow-wrap: anywhere }
summary { cursor: pointer; padding: .5rem .9rem } details > div { padding: 0 .9rem .7rem }
.clause summary { display: flex; flex-wrap: wrap; gap: .2rem .7rem; align-items: baseline; list-style: none }
.clause summary::-webkit-details-marker { display: none }
.clause summary > span:nth-child(2) { flex: 1 1 20rem }
.chain { display: grid; grid-template-columns: minmax(6.5rem,max-content) 1fr; gap: .25rem 1rem; margin: .4rem 0; font-size: .9rem }
.chain dt { color: var(--soft) } .chain dd { margin: 0; min-width: 0 }
.chain ul { list-style: none; padding: 0; margin: 0 }
.values { display: flex; flex-wrap: wrap; gap: .25rem }
svg { width: 8rem; height: 8px; display: block; margin-top: .5rem } rect { fill: var(--good) }
footer { margin-top: 3rem; color: var(--soft); font-size: .9rem }
@media (max-width: 40rem) { .chain { grid-template-columns: 1fr } .chain dt { margin-top: .4rem } h1 { font-size: 1.6rem } }
`;
