import type { FastifyReply } from 'fastify'
import type { App, Caller } from '../context.ts'
import { sendAttachment } from '../emails/preview/send-attachment.ts'
import { type PreviewQuery, showPreview } from '../emails/preview/show-preview.ts'
import { notFound } from '../platform/errors.ts'
import { findSeenMessage } from './get.ts'
import { readMessage } from './read-message.ts'

/** Answers a captured email as a page for a frame. Throws `notFound`. */
export async function previewInboxMessage(
  app: App,
  caller: Caller,
  id: string,
  query: PreviewQuery,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { raw } = await findSeenMessage(app, caller, id)
  return showPreview(app, reply, await readMessage(raw), query)
}

/** Answers an attachment as a download. Throws `notFound` if the message has no such one. */
export async function downloadInboxAttachment(
  app: App,
  caller: Caller,
  id: string,
  n: number,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { raw } = await findSeenMessage(app, caller, id)
  const part = (await readMessage(raw)).parts[n]
  if (!part) throw notFound('attachment')
  return sendAttachment(reply, part)
}
