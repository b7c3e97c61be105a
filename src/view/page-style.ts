/** How an exported page looks. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --text: #1b1f24; --muted: #59636e; --back: #ffffff; --card: #f3f5f7; --line: #d1d9e0;
  --you: #0b5cad; --bad: #b3261e; --good: #1a7f37; --mark: #ffe08a; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e2e6ea; --muted: #9aa4af; --back: #14171b; --card: #1e2329; --line: #3a424b;
    --you: #79b8ff; --bad: #ff8f86; --good: #6fd08c; --mark: #6b5300; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 54rem; padding: 1.5rem 1rem 4rem; background: var(--back); color: var(--text);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; }
h2 { display: inline; font-size: 1rem; margin: 0; }
h3, h4, h5, h6 { line-height: 1.3; margin: 1.2em 0 .4em; }
h3 { font-size: 1.2rem; } h4 { font-size: 1.1rem; } h5, h6 { font-size: 1rem; }
p, ul, ol, blockquote, .wide { margin: .5em 0; }
li > ul, li > ol, li > p { margin: .1em 0; }
li:has(> .box) { list-style: none; }
hr { border: 0; border-top: 1px solid var(--line); }
a { color: var(--you); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0; font-size: .9rem; }
dt, time, .lang, .note, footer, summary { color: var(--muted); }
dd { margin: 0; }
pre, code { font: .875em/1.5 ui-monospace, monospace; }
pre > code { font: inherit; }
pre { margin: .4em 0; white-space: pre-wrap; tab-size: 4; }
pre.code, details pre { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .8rem; }
pre.code { white-space: pre; overflow-x: auto; }
:not(pre) > code { background: var(--card); border-radius: 4px; padding: .1em .3em; }
.lang { font-size: .8rem; margin: .6em 0 -.2em; }
blockquote { border-left: 3px solid var(--line); margin-left: 0; padding-left: 1rem; color: var(--muted); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: left; }
.right { text-align: right; } .center { text-align: center; }
img { max-width: 100%; height: auto; }
article { margin: 1.5rem 0 .5rem; }
article.you { border-left: 4px solid var(--you); padding-left: .9rem; }
article.you > pre { font: inherit; }
article > header { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; }
article > header a { color: inherit; text-decoration: none; }
article time { font-size: .85rem; }
.said { font-weight: 400; color: var(--muted); }
.note { margin: .6rem 0; font-size: .9rem; }
.failed, .bad > summary { color: var(--bad); }
.done { color: var(--good); }
details { margin: .4rem 0; }
summary { cursor: pointer; font-size: .9rem; }
summary b { color: var(--text); }
footer { border-top: 1px solid var(--line); margin-top: 2.5rem; padding-top: .75rem; font-size: .9rem; }
form { position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; padding: .6rem 0;
  background: var(--back); border-bottom: 1px solid var(--line); margin-top: 1rem; z-index: 1; }
form[hidden] { display: none; }
input, button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px;
  padding: .3rem .6rem; }
input { flex: 1 1 12rem; min-width: 0; }
output { color: var(--muted); font-size: .9rem; }
::highlight(found) { background: var(--mark); }
@page { margin: 18mm 15mm; }
@media print {
  :root { --text: #000; --muted: #444; --back: #fff; --card: #fff; --line: #999; --you: #000; --bad: #000; --good: #000; }
  form { display: none; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  pre, pre.code { white-space: pre-wrap; }
  article > header, h3, h4, h5, h6, summary { break-after: avoid; }
  tr, img { break-inside: avoid; }
  a.named::after { content: " (" attr(href) ")"; }
}
`;
