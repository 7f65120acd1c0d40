import type { Db } from '../context.ts'
import { isUuid } from '../platform/ids.ts'
import { teamsReadBy } from '../platform/mode/mode.ts'
import type { EmailBody } from './email-body.ts'
import { findAliased, findExtras } from './extras.ts'

export type Variable = { key: string; type: 'string' | 'number'; fallback_value: string | number | null }

/** What Resend's templates have beyond ours. */
export type TemplateExtra = {
  subject: string | null
  from: string | null
  reply_to: string[] | null
  variables: (Variable & { created_at: string; updated_at: string })[]
}

/** Fills in what an email leaves to its template: from, subject, reply_to, and the fallbacks of variables. */
export async function filledByTemplate(db: Db, teamId: string, body: EmailBody): Promise<EmailBody> {
  if (!body.template) return body
  const { id: given, variables } = body.template
  const teamIds = teamsReadBy(teamId)
  const id = isUuid(given) ? given.toLowerCase() : ((await findAliased(db, teamIds, 'template', given)) ?? given)
  const { extra = {} } = (isUuid(id) && (await findExtras<TemplateExtra>(db, teamIds, [id])).get(id)) || {}
  const fallbacks = (extra.variables ?? []).flatMap(({ key, fallback_value: value }) =>
    value === null ? [] : [[key, value] as const],
  )
  const from = body.from ?? extra.from
  const subject = body.subject ?? extra.subject
  const replyTo = body.reply_to ?? extra.reply_to
  return {
    ...body,
    ...(from && { from }),
    ...(typeof subject === 'string' && { subject }),
    ...(replyTo && { reply_to: replyTo }),
    template: { id, variables: { ...Object.fromEntries(fallbacks), ...variables } },
  }
}
