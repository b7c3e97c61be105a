/** Who decides about a gated call: the mode, a grant, or the person (contract: --approval, Gates). */
import type { Access } from '../domain/tool.ts';

/** What happens to gated calls: a question, run, or refuse (contract: --approval). */
export type ApprovalMode = 'ask' | 'auto' | 'deny';

export interface PermissionSituation {
  mode: ApprovalMode;
  /** A grant of this session or a rule covers the call. */
  granted: boolean;
  /** Somebody is there who can answer. */
  attended: boolean;
}

export type Verdict =
  /** Not gated: no event is written. */
  | { verdict: 'free' }
  | { verdict: 'ask' }
  | { verdict: 'approve'; reason: string }
  | { verdict: 'deny'; reason: string };

export const UNATTENDED = 'nobody is there to answer';

export function judge(access: Access, { mode, granted, attended }: PermissionSituation): Verdict {
  if (access.kind === 'free' && !access.outside) return { verdict: 'free' };
  const askOrDeny: Verdict = attended ? { verdict: 'ask' } : { verdict: 'deny', reason: UNATTENDED };
  if (access.kind === 'ask') return askOrDeny;
  if (mode === 'deny') return { verdict: 'deny', reason: 'the approval mode is deny' };
  if (granted) return { verdict: 'approve', reason: 'granted before' };
  if (mode === 'auto' && !access.outside) return { verdict: 'approve', reason: 'the approval mode is auto' };
  return askOrDeny;
}
