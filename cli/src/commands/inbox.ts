import type { InboxMessage } from '../../../sdk/src/api.ts'
import type { Call } from '../call.ts'
import { linesText } from '../output/table.ts'
import { visibleLines } from '../output/visible.ts'
import { showText } from '../perform.ts'

/** Shows a captured message: its text, or with flags its HTML or the message as it was sent. */
export async function showInboxMessage(call: Call): Promise<undefined> {
  const { words, values } = call
  const path = `/v1/inbox/${encodeURIComponent(words[0]!)}`
  if (values.raw === true) {
    const headers = { accept: 'message/rfc822' }
    const raw = await call.client().run<Uint8Array>({ method: 'GET', path, reads: 'bytes' }, { headers })
    // A file gets the bytes as they are.
    if (call.io.outIsTerminal || call.json) showText(call, Buffer.from(raw).toString('utf8'))
    else call.io.out(raw)
    return
  }
  const message = await call.client().run<InboxMessage>({ method: 'GET', path })
  if (values.html === true && !call.json) showText(call, `${message.html ?? ''}\n`)
  else call.show(message, () => messageText(message))
}

function messageText({ text, html, headers: _, ...about }: InboxMessage): string {
  const body = text ?? (html === null ? '' : 'It has HTML only. See it with --html.')
  const { id, from, to, cc, subject, createdAt, attachments } = about
  const names = attachments.map(({ filename }) => filename)
  const lines = { id, from, to, ...(cc && { cc }), subject, createdAt, ...(names.length > 0 && { attachments: names }) }
  return `${linesText(lines)}\n${visibleLines(body)}\n`
}
