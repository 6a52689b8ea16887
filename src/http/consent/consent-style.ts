// The style sheet of the consent pages. Its hash stands in the Content-Security-Policy; a test compares the two.
import { lookStyle } from './provider-look.ts';

export const consentStyle = `:root{color-scheme:light dark;--ink:light-dark(#1d2433,#e8ecf4);
--soft:light-dark(#515b70,#a0a9bb);--paper:light-dark(#fff,#1b212d);--ground:light-dark(#f2f4f8,#11151d);
--line:light-dark(#d5dae4,#384152);--brand:light-dark(#1f5eff,#7aa2ff);--on:light-dark(#fff,#0b1020);
--bad:light-dark(#a8201a,#ff9d96);--good:light-dark(#0b6b39,#62d796);--mock:light-dark(#ffe9b8,#453510)}
${lookStyle}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;grid-template-rows:auto 1fr;place-items:center;background:var(--ground);
color:var(--ink);font:1rem/1.55 system-ui,sans-serif}
.mock{width:100%;padding:.4rem 1rem;background:var(--mock);text-align:center;font-size:.9rem}
main{width:min(30rem,100% - 2rem);margin:1.5rem 0;background:var(--paper);border:1px solid var(--line);
border-top:5px solid var(--brand);border-radius:14px;padding:1.6rem 2rem;overflow-wrap:anywhere}
h1{margin:.2rem 0 1rem;font-size:1.5rem;line-height:1.25}
a{color:var(--brand)}
.mark{float:right;width:2.6rem;fill:none;stroke:var(--brand);stroke-width:1.6;stroke-linejoin:round}
.kicker{margin:0;color:var(--soft);font-size:.85rem;font-weight:600}
.kicker.done{color:var(--good)}
.note,footer{color:var(--soft);font-size:.9rem}
.problem{border-left:3px solid var(--bad);padding-left:.75rem;color:var(--bad)}
label{display:block;margin:1rem 0;font-weight:600}
input{display:block;width:100%;margin-top:.3rem;padding:.65rem .75rem;border:1px solid var(--line);
border-radius:8px;background:var(--ground);color:var(--ink);font:inherit;font-weight:400}
button,.back{display:block;width:100%;margin:.5rem 0;padding:.75rem;border:1px solid var(--line);border-radius:8px;
background:none;color:var(--ink);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.main,.back{background:var(--brand);border-color:var(--brand);color:var(--on)}
.small{width:auto;padding:.3rem .8rem;font-size:.85rem;font-weight:400}
:focus-visible{outline:3px solid var(--brand);outline-offset:2px}
summary{cursor:pointer;margin:.5rem 0}
code{font-size:.85em}
footer{margin-top:1.5rem;padding-top:1rem;border-top:1px solid var(--line)}`;

export const consentStyleHash = 'sha256-QrP/H4tUC5PXx9nZHI8Yk8xBDudmoCjINW+MahBt1lg=';
