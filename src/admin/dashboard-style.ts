// The look of the dashboard. A string, because the page is served by a core that has no files.

export const dashboardStyle = `
:root { color-scheme: light dark;
  --paper: #f6f4ef; --card: #ffffff; --ink: #22252a; --soft: #6b7078; --line: #dedbd2; --accent: #0b6e5f;
  --good: #1c7c3c; --warn: #9a5b00; --bad: #b3261e; --chip: #ece9e1; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #16181b; --card: #1f2226; --ink: #e7e5df; --soft: #9a9ea6; --line: #33373d; --accent: #5fd0bd;
  --good: #6fd38d; --warn: #f0b35a; --bad: #ff8a80; --chip: #2b2f35; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 14px/1.5 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; padding: 16px 24px; border-bottom: 1px solid var(--line); }
h1 { font-size: 18px; margin: 0; letter-spacing: -0.01em; }
h2 { font-size: 12px; margin: 0; text-transform: uppercase; letter-spacing: 0.08em; color: var(--soft); }
main { display: grid; grid-template-columns: minmax(280px, 380px) minmax(0, 1fr); gap: 16px; padding: 16px 24px; align-items: start; }
@media (max-width: 900px) { main { grid-template-columns: minmax(0, 1fr); padding: 12px; } }
@media (max-width: 560px) { section { overflow-x: auto; } #journal td:last-child { display: none; } }
.column { display: grid; gap: 16px; min-width: 0; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 14px 16px; min-width: 0; }
.head { display: flex; gap: 8px; align-items: center; justify-content: space-between; margin-bottom: 8px; }
code, pre, .mono { font: 12px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
pre { margin: 8px 0 0; padding: 12px; background: var(--chip); border-radius: 8px; overflow: auto; max-height: 360px;
  white-space: pre-wrap; overflow-wrap: anywhere; }
button, select, input { font: inherit; color: inherit; background: var(--chip); border: 1px solid var(--line); border-radius: 8px;
  padding: 4px 10px; min-width: 0; }
button { cursor: pointer; } button:hover { border-color: var(--accent); }
button.primary { background: var(--accent); color: var(--paper); border-color: transparent; }
button.plain { background: none; border: none; padding: 0 4px; color: var(--soft); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.row { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; margin-top: 8px; }
.big { font: 600 22px/1.2 ui-monospace, Menlo, Consolas, monospace; font-variant-numeric: tabular-nums; }
.soft { color: var(--soft); } .grow { flex: 1; }
.chip { background: var(--chip); border-radius: 99px; padding: 1px 9px; font-size: 12px; white-space: nowrap; }
.dot { width: 8px; height: 8px; border-radius: 50%; background: var(--bad); display: inline-block; } .dot.on { background: var(--good); }
.good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: 3px 8px 3px 0; vertical-align: top; }
th { font-weight: 500; color: var(--soft); font-size: 12px; } td { border-top: 1px solid var(--line); overflow-wrap: anywhere; }
#journal td:not(:nth-child(4)) { overflow-wrap: normal; white-space: nowrap; }
#journal tr { cursor: pointer; } #journal tr:hover td { background: var(--chip); }
ul { list-style: none; margin: 0; padding: 0; } li { padding: 6px 0; border-top: 1px solid var(--line); } li:first-child { border-top: none; }
form { display: grid; grid-template-columns: 1fr 1fr; gap: 6px; margin-top: 8px; } form .wide { grid-column: 1 / -1; }
label { display: grid; font-size: 12px; color: var(--soft); gap: 2px; } label > * { color: var(--ink); }
details summary { cursor: pointer; color: var(--soft); }
#note { position: fixed; right: 16px; bottom: 16px; max-width: 420px; background: var(--ink); color: var(--paper); border-radius: 10px;
  padding: 10px 14px; }
[hidden] { display: none !important; }
`;
