/** What the chat asks about the program itself: settings, health, a report. Loaded when it is asked. */
import { noticed, only } from '../view/chat.ts';
import type { Errand } from '../view/errand.ts';
import { told } from '../view/told.ts';
import type { ErrandPlace } from './chat-errands.ts';

export type ProgramErrand = Extract<
  Errand,
  { type: 'ListSettings' | 'TellSetting' | 'StoreSetting' | 'Examine' | 'ReportBug' }
>;

export async function aboutProgram(errand: ProgramErrand, { parts, live, change }: ErrandPlace): Promise<void> {
  switch (errand.type) {
    case 'Examine': {
      const { doctorLines } = await import('./doctor.ts');
      change((chat, now) => only(noticed(chat, 'looking', now)));
      for await (const line of doctorLines(parts.invocation))
        change((chat, now) => told({ ...chat, notice: undefined }, [line], now));
      return;
    }
    case 'ReportBug': {
      const { reportBug } = await import('./chat-bug.ts');
      const path = await reportBug(parts, live, errand.conversation);
      const words = errand.conversation ? 'with what was said in this session' : 'nothing of what was said is in it';
      return change((chat, now) => told(chat, [`the report is in ${path}: ${words}`], now));
    }
    default: {
      const { changeConfig } = await import('./chat-config.ts');
      return changeConfig(errand, parts.invocation, change);
    }
  }
}
