import type { Event, EventName } from '../../../events.ts'

/** An event as a job keeps it until executions are started. */
export type Heard<Name extends EventName = EventName> = { [N in Name]: Omit<Event<N>, 'teamId'> }[Name]

/** An event with what its executions are given. */
export type Occurrence<Config = never> = {
  event: Heard
  triggerData: unknown
  /** False if what was read shows that the event does not fire a trigger with this config. Left out: it fires. */
  passes?(config: Config): boolean
}

/** Ids are stored as their author wrote them, so they may be in capitals. */
export function isWanted(wanted: string | undefined, id: unknown): boolean {
  return wanted === undefined || wanted.toLowerCase() === id
}
