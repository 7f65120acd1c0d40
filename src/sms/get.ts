import type { App, Caller } from '../context.ts'
import { orNotFound } from '../platform/errors.ts'
import { findSms, listSmsEvents, type SmsEvent, type StoredSms } from './queries.ts'

export async function getSms(app: App, caller: Caller, id: string): Promise<StoredSms> {
  return orNotFound('SMS', findSms(app.db, caller.teamId, id))
}

export async function getSmsEvents(app: App, caller: Caller, id: string): Promise<SmsEvent[]> {
  await getSms(app, caller, id)
  return listSmsEvents(app.db, caller.teamId, id)
}
