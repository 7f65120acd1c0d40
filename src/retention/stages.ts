import { removeEmailBodies } from '../emails/retention/remove-bodies.ts'
import { removeEmails } from '../emails/retention/remove-emails.ts'
import { removeEmailEvents } from '../emails/retention/remove-events.ts'
import { removeCaptured, removeSurplus } from '../inbox/retention/remove-captured.ts'
import type { RemovePage } from '../platform/retention/remove-page.ts'
import { removeSms, removeSmsEvents } from '../sms/retention/remove-messages.ts'
import { oldBefore, type Retention } from '../teams/retention/retention.ts'
import { removeWhatsapp, removeWhatsappEvents } from '../whatsapp/retention/remove-messages.ts'
import { removeExecutions } from '../workflows/executions/retention/remove-executions.ts'

type Stage = { name: string; days: keyof Retention | null; remove: RemovePage }

/** The parts of a pass, in their order. `days`: what says how old the rows must be; null if their number does. */
const stages: Stage[] = [
  { name: 'inbox-surplus', days: null, remove: removeSurplus },
  { name: 'inbox', days: 'inboxDays', remove: removeCaptured },
  { name: 'emails', days: 'emailsDays', remove: removeEmails },
  { name: 'email-bodies', days: 'emailBodiesDays', remove: removeEmailBodies },
  { name: 'email-events', days: 'eventsDays', remove: removeEmailEvents },
  { name: 'sms', days: 'messagesDays', remove: removeSms },
  { name: 'sms-events', days: 'eventsDays', remove: removeSmsEvents },
  { name: 'whatsapp', days: 'messagesDays', remove: removeWhatsapp },
  { name: 'whatsapp-events', days: 'eventsDays', remove: removeWhatsappEvents },
  { name: 'executions', days: 'executionsDays', remove: removeExecutions },
]

/** A stage that has something to remove, and the time before which rows are old. */
export type DueStage = { name: string; before: Date; remove: RemovePage }

/** Returns the stage of this name, or the next one after it that removes anything; with null, the first. Null if there is none. */
export function stageFrom(name: string | null, retention: Retention, now: Date): DueStage | null {
  const start = name === null ? 0 : stages.findIndex((stage) => stage.name === name)
  return dueStage(stages.slice(Math.max(0, start)), retention, now)
}

/** Returns the next stage after this one that removes anything; null after the last. */
export function stageAfter(name: string, retention: Retention, now: Date): DueStage | null {
  return dueStage(stages.slice(stages.findIndex((stage) => stage.name === name) + 1), retention, now)
}

function dueStage(from: Stage[], retention: Retention, now: Date): DueStage | null {
  for (const { name, days, remove } of from) {
    // Bodies that are removed at once have no age to reach, and ids may be ahead of the clock.
    const before = days === null ? now : oldBefore(retention[days] === 0 ? -1 : retention[days], now)
    if (before) return { name, before, remove }
  }
  return null
}
