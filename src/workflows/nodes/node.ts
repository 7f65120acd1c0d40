import type { Static, TObject } from 'typebox'
import type { App, Db, Tx } from '../../context.ts'
import type { EventName } from '../../events.ts'
import type { Heard, Occurrence } from '../triggers/events/heard.ts'

/** Everything an execution knows: the root of `{{…}}`, of JSONPath (`$`) and of a code node's `input`. */
export type Context = {
  trigger: unknown
  vars: Record<string, unknown>
  /** Outputs of the nodes before, as `node_<id>`. */
  [node: `node_${string}`]: unknown
}

/** A fault of a config; `path` is inside it, as `events[1]`. */
export type ConfigFault = { path: string; message: string }

/** Something of the team's that a config names by id; it must be there when the workflow is activated. */
export type Reference = {
  path: string
  noun: 'segment' | 'broadcast' | 'domain' | 'credential' | 'template'
  id: string
  /** For a credential: its required type, and the URL that it is sent to. */
  type?: string
  url?: string
}

/** A config of which some may be wrong: what its schema refuses is there, as undefined. */
export type Draft<T> = T extends (infer Item)[]
  ? (Draft<Item> | undefined)[]
  : T extends object
    ? { [Name in keyof T]?: Draft<T[Name]> | undefined }
    : T

/** The description of a node type. The config's schema validates and documents, and editors draw a form from it. */
type Description<Config extends TObject> = {
  type: string
  /** The name in editors: `Send an email`. */
  title: string
  description: string
  /** `Strict({…})`, in snake_case. Texts that may hold `{{…}}` are plain strings here: see `hasPlaceholder`. */
  config: Config
  /** Finds the faults that a schema cannot express. Undefined and missing values are reported by the schema. */
  faults?(config: Draft<Static<Config>>): ConfigFault[]
  /** Ids with a placeholder are left out, since they are not known yet. */
  references?(config: Draft<Static<Config>>): Reference[]
}

export type TriggerNode<Config extends TObject = TObject, Name extends EventName = EventName> = Description<Config> & {
  kind: 'trigger'
  /** Left out for a trigger that no event fires. */
  on?: EventSource<Static<Config>, Name>
  /** Called in the transaction that switches the workflow on. Throws if it must stay off. */
  activate?(tx: Tx, workflow: WorkflowId, config: Static<Config>): Promise<void>
  /** Called in the transaction that switches the workflow off. */
  deactivate?(tx: Tx, workflow: WorkflowId): Promise<void>
}

export type WorkflowId = { teamId: string; workflowId: string }

/** How events fire a trigger. */
export type EventSource<Config, Name extends EventName = EventName> = {
  /** The names of all events that `hears` may give. */
  events: readonly Name[]
  /** The events that fire a trigger with this config. */
  hears(config: Config): string[]
  /** The id in an event that a config can name. It decides what `matches` answers, which is then remembered. */
  subjectOf?(event: Heard<Name>): string | undefined
  /** False if the event itself shows that it does not fire the trigger. Reads nothing. Left out: every event fires. */
  matches?(event: Heard<Name>, config: Config): boolean
  /** Reads what the executions of these events are given, as things are now. An event that is left out starts nothing. */
  read(db: Db, teamId: string, events: Heard<Name>[]): Promise<Occurrence<Config>[]>
}

export type ActionNode<Config extends TObject = TObject> = Description<Config> & {
  kind: 'action'
  /** Its connections name a branch, `true` or `false`. */
  branches?: true
  /** Does nothing outside: that it began is not recorded, only what it came to, and after a kill it simply runs again. */
  pure?: true
  /** False: an error is final, whatever it is. */
  retries: boolean
  /**
   * The input of a run, kept as `inputData`: pure, and the same whenever it is made of the same. Left out: the config with the
   * placeholders of all its texts filled.
   */
  prepare?(config: Static<Config>, context: Context): Static<Config>
  /** The `inputData` of an input that may be too long to be kept, or hold secrets. */
  shown?(input: Static<Config>): Static<Config>
  /**
   * Does the work. A `DomainError` is final but for the kinds `limitExceeded`, `providerFailed` and `unavailable`, which are
   * tried again like every other error is. An error with words of a peer or an author in it is a `DomainError` too:
   * theirs may read like those of a database that is gone. May be called again with the same turn after a kill or an error.
   */
  run(turn: Turn, input: Static<Config>): Promise<Outcome>
}

export type NodeType = TriggerNode | ActionNode

/** One node of one execution, about to run. */
export type Turn = {
  app: App
  teamId: string
  workflowId: string
  executionId: string
  /** The place of the execution in its chain. */
  depth: number
  /** The id of the node's entry, and of an email that it sends. The same at every attempt. */
  id: string
  nodeId: string
  /** 1 at the first. */
  attempt: number
  /** When the node first began. */
  startedAt: Date
  context: Context
  /** The same at every attempt of this node in this execution: 60 to 255 printable characters. */
  idempotencyKey: string
  /** The minute that an attempt may take. `stop` while it waits in a queue; `start` begins the minute again. */
  clock: { stop(): void; start(): void }
  /** Aborted when the execution is cancelled, the process stops or the lease is lost. */
  signal: AbortSignal
}

export type Outcome =
  | {
      output: unknown
      /** The path taken, for a node with branches. */
      branch?: 'true' | 'false'
      /** The branch ends here: what follows is skipped. */
      ends?: true
    }
  /** The node waits until then, and is complete with this output. */
  | { waitUntil: Date; output: unknown }

/** Keeps the config's type inside one file, and out of the registry. */
export function action<Config extends TObject>(node: Omit<ActionNode<Config>, 'kind'>): ActionNode {
  return { kind: 'action', ...node } as unknown as ActionNode
}

export function trigger<Config extends TObject, const Name extends EventName>(
  node: Omit<TriggerNode<Config, Name>, 'kind'>,
): TriggerNode {
  return { kind: 'trigger', ...node } as unknown as TriggerNode
}
