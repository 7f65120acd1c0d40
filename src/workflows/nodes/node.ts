import type { Static, TObject, TSchema } from 'typebox'
import type { App, Db, Tx } from '../../context.ts'
import type { EventName } from '../../events.ts'
import type { ReadEvent, WorkflowEvent } from '../triggers/events/event.ts'

/** The data of an execution: the root of `{{…}}`, of JSONPath (`$`) and of a code node's `input`. */
export type Context = {
  trigger: unknown
  vars: Record<string, unknown>
  /** The outputs of earlier nodes, as `node_<id>`. */
  [node: `node_${string}`]: unknown
}

/** A fault of a config; `path` is inside it, as `events[1]`. */
export type ConfigFault = { path: string; message: string }

/** An id in a config. The team must have it when the workflow is activated. */
export type Reference = {
  path: string
  noun: 'segment' | 'broadcast' | 'domain' | 'credential' | 'template'
  id: string
  /** Only for a credential: the required type, and the URL that it is sent to. */
  type?: string
  url?: string
}

/** The lists that the id in a field may come from, as the fields' `x-resource` names them. Editors draw a picker. */
type Resource = 'segments' | 'broadcasts' | 'domains' | 'credentials' | 'templates'

/** The keyword of a field that holds an id: `x-resource: "segments"`. */
export function idOf(resource: Resource): { 'x-resource': Resource } {
  return { 'x-resource': resource }
}

/** A config whose invalid parts are undefined. */
export type Draft<T> = T extends (infer Item)[]
  ? (Draft<Item> | undefined)[]
  : T extends object
    ? { [Name in keyof T]?: Draft<T[Name]> | undefined }
    : T

/** The description of a node type. Its schema validates and documents configs, and editors make a form of it. */
type Description<Config extends TObject, Output extends TSchema> = {
  type: string
  /** The name in editors: `Send an email`. */
  title: string
  description: string
  /** `Strict({…})`, in snake_case. Texts that may hold `{{…}}` are plain strings here: see `hasPlaceholder`. */
  config: Config
  /**
   * The data that later nodes read: a trigger's as `trigger`, an action's as `node_<id>`. Editors offer its members.
   */
  output: Output
  /** Finds the faults that a schema cannot express. Undefined and missing values are reported by the schema. */
  faults?(config: Draft<Static<Config>>): ConfigFault[]
  /** Lists the ids in a config, without those that have a placeholder. */
  references?(config: Draft<Static<Config>>): Reference[]
}

type TriggerNode<
  Config extends TObject = TObject,
  Name extends EventName = EventName,
  Output extends TSchema = TSchema,
> = Description<Config, Output> & {
  kind: 'trigger'
  /** Undefined for a trigger that no event fires. */
  on?: FiringRule<Static<Config>, Name, Static<Output>>
  /** Called in the transaction that activates the workflow. Throws to refuse the activation. */
  activate?(tx: Tx, workflow: WorkflowId, config: Static<Config>): Promise<void>
  /** Called in the transaction that deactivates the workflow. */
  deactivate?(tx: Tx, workflow: WorkflowId): Promise<void>
}

export type WorkflowId = { teamId: string; workflowId: string }

/**
 * How events fire a trigger. An event fires it if `listensTo` names the event, `matches` holds for the event alone, and
 * the data that `read` gives for it passes (`passes`). `mayFire` checks the first two, `isFired` all three.
 */
export type FiringRule<Config, Name extends EventName = EventName, Data = unknown> = {
  /** The names of all events that `listensTo` may return. */
  events: readonly Name[]
  /** Returns the names of the events that may fire a trigger with this config. */
  listensTo(config: Config): string[]
  /** Returns the id in an event that decides the result of `matches`, which is cached by it. */
  subjectOf?(event: WorkflowEvent<Name>): string | undefined
  /** Returns false if the event alone shows that it does not fire the trigger. Without it, every event fires. */
  matches?(event: WorkflowEvent<Name>, config: Config): boolean
  /** Reads the present data for the executions of these events. An event that it leaves out starts nothing. */
  read(db: Db, teamId: string, events: WorkflowEvent<Name>[]): Promise<ReadEvent<Config, Data>[]>
}

export type ActionNode<Config extends TObject = TObject, Output extends TSchema = TSchema> = Description<
  Config,
  Output
> & {
  kind: 'action'
  /** Connections from the node name a branch, `true` or `false`. */
  branches?: true
  /** The node has no effects, so that its beginning is not recorded, and another process runs it again. */
  pure?: true
  /** If false, every error is final. */
  retries: boolean
  /** The field of the config that may hold a secret, which is stored encrypted. */
  secret?: Secret
  /**
   * Only owners, admins and developers may create, edit, duplicate or delete a workflow with such a node: with any, or
   * with one for whose config this returns a reason.
   */
  restricted?: true | ((app: App, config: Record<string, unknown>) => string | null)
  /**
   * Makes the input of a run, which is kept as `inputData`. Pure. By default it fills the placeholders of all texts.
   */
  prepare?(config: Static<Config>, context: Context): Static<Config>
  /** Makes the `inputData` of an input that may be too long for the history, or have secrets. */
  shown?(input: Static<Config>): Static<Config>
  /**
   * Does the work. Errors are tried again, except a `DomainError` of a kind other than `limitExceeded`,
   * `providerFailed` and `unavailable`. An error with the text of a peer or an author must be a `DomainError`, since
   * the text may look like a fault of the database. May be called again with the same turn, after an error or in
   * another process.
   */
  run(turn: Turn, input: Static<Config>): Promise<Outcome<Static<Output>>>
}

/** `hide` makes what marketers and viewers see in place of the value, which may be any JSON in a draft. */
export type Secret = { field: string; hide(value: unknown): unknown }

export type NodeType = TriggerNode | ActionNode

/** One attempt to run a node of an execution. */
export type Turn = {
  app: App
  teamId: string
  workflowId: string
  executionId: string
  /** The execution's number in a chain of executions that caused each other, from 1. */
  depth: number
  /** The id of the node's entry, and of an email that it sends. The same for all attempts. */
  id: string
  nodeId: string
  /** The number of the attempt, from 1. */
  attempt: number
  /** When the node first began. */
  startedAt: Date
  context: Context
  /** The same for all attempts of this node in this execution: 60 to 255 printable characters. */
  idempotencyKey: string
  /**
   * The minute that an attempt may take. `stop` pauses it while the node waits in a queue; `start` begins a new one.
   */
  clock: { stop(): void; start(): void }
  /** Aborted when the execution is cancelled, the process stops or the lease is lost. */
  signal: AbortSignal
}

export type Outcome<Output = unknown> =
  | {
      output: Output
      /** The path taken, for a node with branches. */
      branch?: 'true' | 'false'
      /** Ends the branch: the nodes after this one are skipped. */
      ends?: true
    }
  /** The node waits until this time, and is then complete with this output. */
  | { waitUntil: Date; output: Output }

/** Keeps the types of config and output within one file, so that the registry needs none. */
export function action<Config extends TObject, Output extends TSchema>(
  node: Omit<ActionNode<Config, Output>, 'kind'>,
): ActionNode {
  return { kind: 'action', ...node } as unknown as ActionNode
}

export function trigger<Config extends TObject, Output extends TSchema, const Name extends EventName = EventName>(
  node: Omit<TriggerNode<Config, Name, Output>, 'kind'>,
): TriggerNode {
  return { kind: 'trigger', ...node } as unknown as TriggerNode
}
