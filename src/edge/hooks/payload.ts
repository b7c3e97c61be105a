/** What a hook command reads on its standard input: one JSON object in the names of the wire. */
import type { Operation, OperationData, Outcome, Snapshot } from '../../domain/hook.ts';
import { userMessage } from '../wire/content-codec.ts';
import { always, count, type Field, list, optional, shape, string } from '../wire/field.ts';

const asItIs: Field<unknown> = {
  encode: (value) => value,
  decode: (wire) => wire,
  form: { is: 'scalar', name: 'value' },
};
const coordinates = shape<Omit<Snapshot, 'data' | 'operation'>>({
  sessionId: string,
  loopId: optional(string),
  turnId: optional(string),
  stepId: optional(string),
  toolExecutionId: optional(string),
});
const gate = { toolName: string, toolUseId: string };
const call = shape({ ...gate, input: asItIs });
const data: { [O in Operation]: Field<OperationData[O]> } = {
  Turn: shape<OperationData['Turn']>({ turnIndex: count, message: userMessage }),
  Step: shape({ index: always(count) }),
  Inference: shape({ model: string, messageCount: always(count) }),
  ToolCall: call,
  ToolExecution: call,
  GateWait: shape(gate),
  JournalAppend: shape({
    records: always(count),
    types: list(string as Field<OperationData['JournalAppend']['types'][0]>),
  }),
};

/** `outcome`: for an operation that has ended. */
export function payload(snapshot: Snapshot, cwd: string, outcome?: Outcome): string {
  const { operation } = snapshot;
  const own = (data[operation] as Field<unknown>).encode(snapshot.data) as object;
  return JSON.stringify({
    operation,
    ...(coordinates.encode(snapshot) as object),
    cwd,
    ...own,
    ...(outcome && { outcome }),
  });
}
