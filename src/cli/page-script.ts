/**
 * The one script of an exported page, which works without it: a search that hides what does not hold the words, unfolds
 * what does, and marks them where the browser can.
 */
export const PAGE_SCRIPT = `
(() => {
  const form = document.getElementById('search');
  const field = form.querySelector('input');
  const said = form.querySelector('output');
  const unfold = form.querySelector('button');
  const parts = [...document.querySelector('main').children];
  const details = [...document.querySelectorAll('main details')];
  const texts = new Map();
  const textOf = (node) => {
    if (!texts.has(node)) texts.set(node, node.textContent.toLowerCase());
    return texts.get(node);
  };
  const opened = new Set();
  let hits = [];
  let at = -1;
  const mark = (words) => {
    if (!globalThis.CSS || !CSS.highlights) return;
    const found = new Highlight();
    const limit = 5000;
    for (const part of hits) {
      const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node && found.size < limit; node = walker.nextNode()) {
        const text = node.data.toLowerCase();
        if (text.length !== node.data.length) continue;
        for (let i = text.indexOf(words); i >= 0 && found.size < limit; i = text.indexOf(words, i + words.length)) {
          const range = new Range();
          range.setStart(node, i);
          range.setEnd(node, i + words.length);
          found.add(range);
        }
      }
    }
    CSS.highlights.set('found', found);
  };
  const search = () => {
    const words = field.value.trim().toLowerCase();
    for (const one of opened) one.open = false;
    opened.clear();
    at = -1;
    hits = words === '' ? [] : parts.filter((part) => textOf(part).includes(words));
    const shown = new Set(words === '' ? parts : hits);
    for (const part of parts) part.hidden = !shown.has(part);
    if (words === '') {
      said.value = '';
      if (globalThis.CSS && CSS.highlights) CSS.highlights.delete('found');
      return;
    }
    for (const one of details) {
      if (one.open || !textOf(one).includes(words)) continue;
      one.open = true;
      opened.add(one);
    }
    said.value = hits.length === 0 ? 'nothing found' : hits.length + ' of ' + parts.length;
    mark(words);
  };
  let soon = 0;
  field.addEventListener('input', () => {
    clearTimeout(soon);
    soon = setTimeout(search, 120);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    clearTimeout(soon);
    if (hits.length === 0) search();
    if (hits.length === 0) return;
    at = (at + 1) % hits.length;
    hits[at].scrollIntoView({ block: 'center' });
    said.value = at + 1 + ' / ' + hits.length;
  });
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    field.value = '';
    search();
  });
  unfold.addEventListener('click', () => {
    const open = details.some((one) => !one.open);
    for (const one of details) one.open = open;
    opened.clear();
    unfold.textContent = open ? 'Fold all' : 'Unfold all';
  });
  form.hidden = false;
})();
`;
