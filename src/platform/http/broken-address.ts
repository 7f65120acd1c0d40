import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { answerError, statusOf } from './errors.ts'
import { page, showPage } from './page.ts'

const html = page(
  'Address not valid',
  `<h1>This address is not valid</h1>
      <p>Its characters cannot be read: a link may have been cut off or changed on its way. Follow the link again from where it
        stands, or <a href="/">begin at the first page</a>.</p>`,
)

/** Answers a path that is not percent-encoded UTF-8: people who followed a broken link get a page. */
export function answerBrokenAddress(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isBrowser = String(request.headers.accept).includes('text/html')
  if (!isBrowser) return answerError(error, request, reply)
  const { status, name } = statusOf.invalid
  request.errorName = name
  return showPage(reply.status(status), html)
}
