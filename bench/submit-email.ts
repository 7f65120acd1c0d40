import { composeMessage } from '../src/emails/mime/compose.ts'
import { createPool, type Pool } from '../src/emails/smtp-client/pool.ts'
import { html, recipient, subject, text } from './message.ts'

/** Opens up to `connectionsMax` connections to the SMTPS port, which stay open and log in with the key. */
export function submissionPool(port: number, key: string, connectionsMax: number): Pool {
  return createPool({
    ...{ host: '127.0.0.1', port, tls: 'implicit', verify: false, localName: 'bench.test' },
    ...{ auth: { user: key, password: key } },
    ...{ connectionsMax, messagesPerConnectionMax: Number.POSITIVE_INFINITY, idleMs: 60_000 },
  })
}

const from = { name: 'Shop', address: 'hello@sandbox.test' }

/**
 * Sends the message of `POST /v1/emails` by SMTP, to this turn's recipient if no other is given. Throws if it is
 * refused.
 */
export async function submitEmail(pool: Pool, turn: number, to = recipient(turn)): Promise<void> {
  const head = { messageId: `<${turn}@bench.test>`, date: new Date(0), from, to: [{ name: null, address: to }] }
  const raw = composeMessage({ ...head, cc: [], replyTo: [], subject, text, html, attachments: [], headers: [] }).raw
  const { data, failure } = await pool.send({ from: from.address, to: [to] }, raw)
  if (data?.code !== 250) throw new Error(`A message was refused: ${data?.text ?? failure?.message}`)
}
