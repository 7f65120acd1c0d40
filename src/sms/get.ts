import type { App, Caller } from '../context.ts'
import { orNotFound } from '../platform/errors.ts'
import { findSms, listSmsEvents, type SmsEvent } from './queries.ts'
import type { Sms } from './schema.ts'

export async function getSms(app: App, caller: Caller, id: string): Promise<Sms> {
  return orNotFound('SMS', findSms(app.db, caller.teamId, id))
}

export async function getSmsEvents(app: App, caller: Caller, id: string): Promise<SmsEvent[]> {
  await getSms(app, caller, id)
  return listSmsEvents(app.db, caller.teamId, id)
}
