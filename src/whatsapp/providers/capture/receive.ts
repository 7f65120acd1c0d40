import { sql } from 'kysely'
import type { App, Caller, Db } from '../../../context.ts'
import { liveTeamOf } from '../../../platform/mode/mode.ts'
import { refuseSimulation } from '../../../platform/mode/refuse-simulation.ts'
import { applyInboundEvents, type InboundCounts } from '../../inbound/apply.ts'
import type { WhatsappInboundEvent } from '../../provider.ts'

/**
 * Applies simulated events that are about the team's own senders, messages and accounts. Ignores all others. In test
 * mode the senders are those of the live team, and templates, which live messages share, stay as they are. Throws
 * `forbidden` in live mode with another provider.
 */
export async function receiveCaptured(
  app: App,
  caller: Caller,
  events: WhatsappInboundEvent[],
): Promise<InboundCounts> {
  refuseSimulation(caller, 'WHATSAPP_PROVIDER', app.providers.whatsapp.live.name)
  const { teamId } = caller
  const isOwn = await findOwn(app.db, teamId, events)
  const own = events.filter(isOwn).map((event) => onlyOf(teamId, event))
  const counts = await applyInboundEvents(app, own)
  const foreign = events.length - own.length
  return { ...counts, received: events.length, ignored: counts.ignored + foreign }
}

/** Numbers and accounts are texts that several teams may have given their senders. */
function onlyOf(teamId: string, event: WhatsappInboundEvent): WhatsappInboundEvent {
  return event.type === 'message' || event.type === 'template_status' ? { ...event, ofTeam: teamId } : event
}

async function findOwn(db: Db, teamId: string, events: WhatsappInboundEvent[]) {
  const namesOf = (type: WhatsappInboundEvent['type']) => events.filter((event) => event.type === type).map(nameOf)
  const { rows } = await sql<{ name: string }>`
    select 'message ' || phone_number_id as name from whatsapp_senders
    where team_id = ${liveTeamOf(teamId)} and phone_number_id = any(${namesOf('message')}::text[])
    union all
    select 'template_status ' || waba_id from whatsapp_senders
    where team_id = ${teamId} and waba_id = any(${namesOf('template_status')}::text[])
    union all
    select 'status ' || provider_message_id from whatsapp_messages
    where team_id = ${teamId} and direction = 'outbound' and provider_message_id = any(${namesOf('status')}::text[])
  `.execute(db)
  const own = new Set(rows.map(({ name }) => name))
  return (event: WhatsappInboundEvent) => own.has(`${event.type} ${nameOf(event)}`)
}

/** The name by which an event says what it is about. */
function nameOf(event: WhatsappInboundEvent): string {
  if (event.type === 'status') return event.providerMessageId
  return event.type === 'template_status' ? event.wabaId : event.phoneNumberId
}
