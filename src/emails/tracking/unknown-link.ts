import type { FastifyReply } from 'fastify'

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>Link not valid</title>
    <style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto; padding: 0 1rem }</style>
  </head>
  <body>
    <h1>This link is not valid</h1>
    <p>It may have been cut off or changed on its way, or be more than a year old. Open the email it came with, and follow
      the link from there, or ask its sender.</p>
  </body>
</html>
`

/** Answers 404 with a page that says that the link is not valid. */
export function answerUnknownLink(reply: FastifyReply): FastifyReply {
  return reply.status(404).header('Cache-Control', 'no-store').type('text/html; charset=utf-8').send(page)
}
