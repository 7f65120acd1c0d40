import { insertApiKey } from '../api-keys/create.ts'
import { operator } from '../api-keys/creator.ts'
import { grantCredit } from '../billing/credit/set.ts'
import type { App, Caller } from '../context.ts'
import { insertVerifiedDomain } from '../domains/insert-verified.ts'
import { sendEmail } from '../emails/messages/send.ts'
import { createTeam } from '../teams/create.ts'
import { withApp } from './with-app.ts'

const people = ['ada', 'grace', 'linus', 'margaret', 'bounce', 'softbounce', 'complaint', 'delayed']
const subjects = ['Your order has shipped', 'Reset your password', 'Welcome to the shop', 'Your invoice for June']

/** Creates a demo team with a domain and emails of every status. */
export async function seed(): Promise<void> {
  await withApp(async (app) => {
    refuseRealProvider(app)
    const keys = await app.generateDkimKeys()
    const name = `demo-${app.newId().slice(0, 8)}.test`
    const { caller, key } = await app.transaction(async (tx) => {
      const team = await createTeam(tx, { name: 'Demo', plan: 'scale' })
      await grantCredit(tx, team.id, team.plan)
      await insertVerifiedDomain(tx, app.keyring, team.id, name, keys)
      const made = await insertApiKey(tx, team.id, {
        name: 'Demo',
        permission: 'full_access',
        domainId: null,
        createdBy: operator('posthorn seed'),
      })
      const caller: Caller = {
        kind: 'apiKey',
        id: made.id,
        teamId: team.id,
        permission: 'full_access',
        mode: 'live',
        domainId: null,
        plan: 'scale',
        limitOverrides: {},
      }
      return { caller, key: made.key }
    })
    await sendDemoEmails(app, caller, name)
    process.stdout.write(
      `Team Demo (${caller.teamId}) has the domain ${name} and ${people.length} emails.\nIts API key, shown once: ${key}\n`,
    )
  })
}

/** Refuses real providers, because demo messages must not leave the machine. */
function refuseRealProvider(app: App): void {
  if (app.emailProvider.name !== 'capture') throw new Error('seed works with EMAIL_PROVIDER=capture only.')
}

async function sendDemoEmails(app: App, caller: Caller, domain: string): Promise<void> {
  for (const [index, person] of people.entries()) {
    const subject = subjects[index % subjects.length]!
    await sendEmail(
      app,
      caller,
      { from: `Shop <hello@${domain}>`, to: [`${person}@example.test`], subject, text: `Hello ${person}.` },
      null,
    )
    process.stdout.write(`\r${index + 1} of ${people.length} emails`)
  }
  process.stdout.write('\n')
}
