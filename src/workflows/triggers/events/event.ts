import type { Event, EventName } from '../../../events.ts'

/** An event in the form that a job keeps until executions are started. */
export type WorkflowEvent<Name extends EventName = EventName> = { [N in Name]: Omit<Event<N>, 'teamId'> }[Name]

/** An event for which the data of its executions was read. */
export type ReadEvent<Config = never, Data = unknown> = {
  event: WorkflowEvent
  triggerData: Data
  /**
   * Returns false if the data shows that the event does not fire a trigger with this config. Without it, the event
   * fires.
   */
  passes?(config: Config): boolean
}

/** Compares an id in a config, which may be in capitals, with one of an event. True if the config names none. */
export function isWanted(wanted: string | undefined, id: unknown): boolean {
  return wanted === undefined || wanted.toLowerCase() === id
}
