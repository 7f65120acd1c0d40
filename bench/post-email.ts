import type { Pool } from 'undici'
import { html, recipient, subject, text } from './message.ts'

/** Sends the message of 7 kB to this turn's recipient by `POST /v1/emails`. Throws if it is refused. */
export async function postEmail(http: Pool, key: string, turn: number): Promise<void> {
  const { statusCode, body } = await http.request({
    method: 'POST',
    path: '/v1/emails',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ from: 'Shop <hello@sandbox.test>', to: [recipient(turn)], subject, text, html }),
  })
  const answer = await body.text()
  if (statusCode !== 200) throw new Error(`An email was refused with ${statusCode}: ${answer.slice(0, 200)}`)
}
