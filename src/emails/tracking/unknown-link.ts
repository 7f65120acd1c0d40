import type { FastifyReply } from 'fastify'
import { page, showPage } from '../../platform/http/page.ts'

const html = page(
  'Link not valid',
  `<h1>This link is not valid</h1>
      <p>It may have been cut off or changed on its way, or be more than a year old. Open the email it came with, and follow
        the link from there, or ask its sender.</p>`,
)

/** Answers 404 with a page that says that the link is not valid. */
export function answerUnknownLink(reply: FastifyReply): FastifyReply {
  return showPage(reply.status(404), html)
}
