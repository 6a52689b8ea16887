// The style sheet of the consent pages. Its hash stands in the Content-Security-Policy; a test compares the two.

export const consentStyle = `:root{color-scheme:light dark;--ink:#1d2433;--soft:#5c6578;--paper:#fff;--ground:#f2f4f8;--line:#d5dae4;
--brand:#1f5eff;--on:#fff;--bad:#a8201a;--good:#0f7a43}
@media (prefers-color-scheme:dark){:root{--ink:#e8ecf4;--soft:#a0a9bb;--paper:#1b212d;--ground:#11151d;
--line:#384152;--brand:#7aa2ff;--on:#0b1020;--bad:#ff9d96;--good:#62d796}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem;background:var(--ground);
color:var(--ink);font:1rem/1.55 system-ui,sans-serif}
main{width:min(30rem,100%);background:var(--paper);border:1px solid var(--line);border-radius:14px;
padding:2rem;overflow-wrap:anywhere}
h1{margin:.2rem 0 1rem;font-size:1.5rem;line-height:1.25}
.kicker{margin:0;color:var(--soft);font-size:.85rem;font-weight:600}
.kicker.done{color:var(--good)}
.note,footer{color:var(--soft);font-size:.9rem}
.problem{border-left:3px solid var(--bad);padding-left:.75rem;color:var(--bad)}
label{display:block;margin:1rem 0;font-weight:600}
input{display:block;width:100%;margin-top:.3rem;padding:.65rem .75rem;border:1px solid var(--line);
border-radius:8px;background:var(--ground);color:var(--ink);font:inherit;font-weight:400}
button{width:100%;margin:.5rem 0;padding:.75rem;border:0;border-radius:8px;background:var(--brand);
color:var(--on);font:inherit;font-weight:600;cursor:pointer}
:focus-visible{outline:3px solid var(--brand);outline-offset:2px}
summary{cursor:pointer;margin:.5rem 0}
code{font-size:.85em}
footer{margin-top:1.5rem;padding-top:1rem;border-top:1px solid var(--line)}`;

export const consentStyleHash = 'sha256-wDxy/6LOLYBB65E4nH8knbpzHmu9sK4G9tl9xP9JK9U=';
