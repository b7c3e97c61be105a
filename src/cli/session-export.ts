/** A whole session as a file for people: Markdown, or one HTML page. Piece by piece, whatever its length. */
import { createHash } from 'node:crypto';
import type { JournalRecord } from '../runtime/ports.ts';
import { addToPage, EMPTY_PAGE, pageFoot, pageHead } from '../view/page.ts';
import { PAGE_STYLE } from '../view/page-style.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { markdownDocument, markdownHead } from './sessions-document.ts';

/** Given every record in order; what it answers is written in the same order, `end` last. */
export interface SessionExport {
  add(record: JournalRecord): string;
  end(): string;
}

export function markdownExport(title: string): SessionExport {
  let begun = false;
  return {
    add(record) {
      const head = !begun && 'event' in record ? markdownHead(record.event, title) : '';
      begun ||= head !== '';
      return head + markdownDocument(record);
    },
    end: () => '',
  };
}

export function htmlExport(title: string): SessionExport {
  const hashes = { style: hashOf(PAGE_STYLE), script: hashOf(PAGE_SCRIPT) };
  let page = EMPTY_PAGE;
  let begun = false;
  return {
    add(record) {
      const head = !begun && 'event' in record ? pageHead(record.event, title, hashes) : '';
      begun ||= head !== '';
      const added = addToPage(page, record);
      page = added.page;
      return head + added.html;
    },
    end: () => (begun ? pageFoot(page, PAGE_SCRIPT) : ''),
  };
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');
