/** The library's face: re-exports, nothing else. Never loads Ink, React, commander or conf. */

export type {
  Ack,
  ApproveToolCall,
  CancelQueuedInput,
  Command,
  CommandType,
  Compact,
  DenyToolCall,
  GrantScope,
  Interrupt,
  JournaledCommand,
  MoveQueuedInput,
  ProvideUserInput,
  RenameSession,
  ResumeQueue,
  SendQueuedInput,
  SetActiveLoop,
  SetModel,
  SetQueuedInput,
  Shutdown,
  StartLoop,
  UserInput,
} from './domain/command.ts';
export type {
  AssistantMessage,
  Block,
  Chunk,
  ImageBlock,
  InputBlock,
  Message,
  RefusalBlock,
  TextBlock,
  ThinkingBlock,
  ToolMessage,
  ToolResultBlock,
  ToolUseBlock,
  Usage,
  UserMessage,
} from './domain/content.ts';
export { textOf } from './domain/content.ts';
export type { Delivery, Event, EventBody, EventStamp, EventTraits, EventType } from './domain/event.ts';
export { eventTraits, isEnduring, isReply, isTerminal, replyTo } from './domain/event.ts';
export type { Failure, FailureKind } from './domain/failure.ts';
export {
  EmptyResponseError,
  FAILURE_KINDS,
  failureOf,
  findError,
  GuardError,
  HarnessError,
  JournalError,
  ProviderError,
  RestoredError,
  SubscriptionLossError,
  ToolLimitError,
  TurnPanicError,
} from './domain/failure.ts';
export type {
  Denial,
  Guard,
  GuardedOperation,
  Hooks,
  Observer,
  Operation,
  OperationData,
  Outcome,
  Snapshot,
} from './domain/hook.ts';
export type {
  Agency,
  Cause,
  CommandId,
  EventId,
  LoopId,
  SessionId,
  StepId,
  ToolExecutionId,
  TurnId,
} from './domain/identity.ts';
export type {
  ActiveLoopChanged,
  GrantOffer,
  HistoryCompacted,
  InferenceRetrying,
  LoopIdle,
  LoopStarted,
  ModelChanged,
  PermissionDecided,
  PermissionRequest,
  PermissionRequested,
  RestoreErrored,
  RuntimeEvent,
  SessionMark,
  SessionRenamed,
  SessionStarted,
  ToolCallCompleted,
  ToolCallStarted,
  UserInputRequested,
} from './domain/runtime-event.ts';
export type { Access, ParameterSchema, Tool, ToolContext, ToolResult, ToolSpec } from './domain/tool.ts';
export type {
  CancelReason,
  InputCancelled,
  InputQueued,
  RejectReason,
  Reply,
  Resolution,
  StepDone,
  Terminal,
  TokenDelta,
  TurnDone,
  TurnEvent,
  TurnFailed,
  TurnFoldedInto,
  TurnInterrupted,
  TurnRejected,
  TurnStarted,
} from './domain/turn-event.ts';
export { InvalidEventError, validateEvent } from './domain/validation.ts';
export { SessionInUseError } from './edge/journal/lock.ts';
export type { MemoryJournal } from './edge/journal/memory-journal.ts';
export { openMemoryJournal } from './edge/journal/memory-journal.ts';
export { DamagedJournalError } from './edge/journal/read-journal.ts';
export type { ProviderQuirks } from './edge/models/providers.ts';
export type { ScriptedModel, ScriptReply, ScriptStep } from './edge/models/scripted.ts';
export { createScriptedModel } from './edge/models/scripted.ts';
export type { DecodedCommand } from './edge/wire/command-codec.ts';
export { decodeCommand } from './edge/wire/command-codec.ts';
export { encodeDelivery } from './edge/wire/delivery-codec.ts';
export type { WireObject } from './edge/wire/field.ts';
export { WireError } from './edge/wire/field.ts';
export { decodeRecord, encodeRecord } from './edge/wire/record-codec.ts';
export { decodeDelivery, decodeEvent, encodeCommand, encodeEvent } from './library/codec.ts';
export type { OpenAiModelOptions } from './library/models.ts';
export { createDemoModel, createOpenAiModel, script } from './library/models.ts';
export type { SessionOptions } from './library/session.ts';
export { createSession } from './library/session.ts';
export type { SessionFile } from './library/session-file.ts';
export { openSessionFile } from './library/session-file.ts';
export type { Arguments, Parameter, Parameters, ToolDefinition } from './library/tool-definition.ts';
export { defineTool } from './library/tool-definition.ts';
export { ImpossibleHistoryError } from './loop/impossible.ts';
export type { TurnLimits } from './loop/limits.ts';
export type {
  Clock,
  FinishReason,
  IdSource,
  Journal,
  JournalRecord,
  Log,
  Model,
  ModelEvent,
  ModelRequest,
  Rule,
  RuleBook,
} from './runtime/ports.ts';
export type {
  Answer,
  ApprovalMode,
  ContextKind,
  ContextPart,
  EventFilter,
  LoopContext,
  LoopSnapshot,
  Session,
  SessionSnapshot,
  SubmitOptions,
  Subscription,
} from './runtime/session.ts';
