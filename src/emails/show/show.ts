import type { FastifyReply } from 'fastify'
import type { App, Caller } from '../../context.ts'
import { notFound } from '../../platform/errors.ts'
import { getEmail, refuseUnseenEmail } from '../get.ts'
import { sendAttachment } from '../preview/send-attachment.ts'
import { type PreviewQuery, showPreview } from '../preview/show-preview.ts'
import { findMessageHead, listPartSummaries, listParts } from './queries.ts'

/**
 * Returns how an email was sent, and its attachments. Throws `notFound`, also for an email that the caller may not see.
 */
export async function getEmailMessage(app: App, caller: Caller, id: string) {
  await refuseUnseenEmail(app, caller, id)
  const head = await findMessageHead(app.db, caller.teamId, id)
  return { ...head, attachments: await listPartSummaries(app.db, caller.teamId, id) }
}

/**
 * Answers an email as a page for a frame, as it was accepted: without tracking, and with its unsubscribe token masked.
 */
export async function previewEmail(app: App, caller: Caller, id: string, query: PreviewQuery, reply: FastifyReply) {
  const { html, text } = await getEmail(app, caller, id)
  const showsParts = html !== null && /cid:/i.test(html)
  const parts = showsParts ? await listParts(app.db, caller.teamId, id) : []
  return showPreview(app, reply, { html, text, parts }, query)
}

/** Answers an attachment as a download. Throws `notFound` if the email has no such one. */
export async function downloadEmailAttachment(app: App, caller: Caller, id: string, n: number, reply: FastifyReply) {
  await refuseUnseenEmail(app, caller, id)
  const part = (await listParts(app.db, caller.teamId, id))[n]
  if (!part) throw notFound('attachment')
  return sendAttachment(reply, part)
}
