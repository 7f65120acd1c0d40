import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { createTransport } from 'nodemailer'
import { html, recipient, subject, text } from './message.ts'
import type { ReferenceServer } from './start-postgres.ts'

/** The number with which it sends fastest; more or fewer change little. */
const connectionsMax = 10

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** The reference of row 1: nodemailer's pool sends, and one insert in its own commit stores the email. */
export async function bareSend(server: ReferenceServer, port: number, { signs }: { signs: boolean }) {
  await server.pool.query(`
    create table if not exists sent (
      id uuid primary key, recipient text not null, subject text not null, html text, text text, created_at timestamptz not null
    )
  `)
  const transport = bareTransport(port, { signs })
  return {
    async send(turn: number): Promise<void> {
      const to = recipient(turn)
      await transport.sendMail({ from: 'Shop <hello@sandbox.test>', to, subject, text, html })
      await server.pool.query({
        name: 'insert-sent',
        text: 'insert into sent (id, recipient, subject, html, text, created_at) values ($1, $2, $3, $4, $5, now())',
        values: [randomUUID(), to, subject, html, text],
      })
    },
    close: () => transport.close(),
  }
}

export function bareTransport(port: number, { signs }: { signs: boolean }) {
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const dkim = { domainName: 'sandbox.test', keySelector: 'posthorn', privateKey: pem }
  return createTransport({
    ...{ host: '127.0.0.1', port, ignoreTLS: true, pool: true },
    ...{ maxConnections: connectionsMax, maxMessages: Number.POSITIVE_INFINITY },
    ...(signs && { dkim }),
  })
}

/** Returns the processor time of one RSA-2048 signature over the content of a DKIM signature, in microseconds. */
export function signatureMicros(seconds: number): number {
  const headers = Buffer.alloc(800, 'a')
  const [started, before] = [performance.now(), process.cpuUsage()]
  let count = 0
  while (performance.now() - started < seconds * 1000) {
    sign('sha256', headers, privateKey)
    count++
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}
