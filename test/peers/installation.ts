import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { insertVerifiedDomain } from '../../src/domains/insert-verified.ts'
import { createTestApp } from '../app.ts'
import { promptMs } from '../patience.ts'

export type Story = { status: string; events: string[]; isSuppressed: boolean }

const turnMs = 20

/**
 * Starts an installation whose mail comes from `<name>.test`. Returned mail arrives at `inboundPort`, unless that is
 * off.
 */
export async function startInstallation(name: string, environment: Record<string, string>) {
  const stopped = new AbortController()
  let running = Promise.resolve()
  // Before the app is closed, whose own hook comes later.
  after(async () => {
    stopped.abort()
    await running
  })
  const posthorn = await createTestApp({
    ...{ SMTP_PORT: 'off', SMTPS_PORT: 'off', OUTBOUND_ALLOW: '127.0.0.0/8', PUBLIC_URL: `http://mta.${name}.test` },
    ...environment,
  })
  const { app } = posthorn
  const inboundPort = environment.INBOUND_SMTP_PORT ? (await posthorn.openDoors()).inbound! : null
  const team = await posthorn.team()
  const domain = `${name}.test`
  const keys = await app.generateDkimKeys()
  await app.transaction((tx) => insertVerifiedDomain(tx, app.keyring, team.id, domain, keys))
  // Jobs are run until the file ends, and the clock goes on, since mail waits for a busy host.
  running = (async () => {
    for (; !stopped.signal.aborted; await sleep(turnMs)) {
      await posthorn.runDueJobs()
      posthorn.clock.advance(turnMs)
    }
  })()

  /** Sends one email to some recipients. The text names the first. */
  async function send(...to: string[]): Promise<string> {
    const email = { from: `hello@${domain}`, to, subject: `To ${to[0]}`, text: `This is for ${to[0]}.` }
    const { status, body, text } = await team.api.post('/v1/emails', email)
    if (status !== 200) throw new Error(text)
    return body.id
  }

  async function story(id: string, recipient: string): Promise<Story> {
    const [email, events, suppressed] = await Promise.all([
      team.api.get(`/v1/emails/${id}`),
      team.api.get(`/v1/emails/${id}/events`),
      team.api.get(`/v1/suppressions?search=${encodeURIComponent(recipient)}`),
    ])
    const types = events.body.map(({ type }: { type: string }) => type).reverse()
    return { status: email.body.status, events: types, isSuppressed: suppressed.body.data.length > 0 }
  }

  /** Waits until an email has a story that passes, and returns it. */
  async function until(id: string, recipient: string, passes: (story: Story) => boolean): Promise<Story> {
    for (let waitedMs = 0; ; waitedMs += 100) {
      const now = await story(id, recipient)
      if (passes(now) || waitedMs > promptMs) return now
      await sleep(100)
    }
  }

  return { name, inboundPort, returnPath: `send.${domain}`, send, until }
}

export type Installation = Awaited<ReturnType<typeof startInstallation>>
