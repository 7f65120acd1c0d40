import { createContact } from '../../contacts/create.ts'
import type { App, Caller } from '../../context.ts'
import { insertVerifiedDomain } from '../../domains/insert-verified.ts'
import { sendEmail } from '../../emails/messages/send.ts'
import { addNamedContacts } from '../../segments/add-contacts.ts'
import { createSegment } from '../../segments/group.ts'
import { findTerms } from '../../teams/queries.ts'
import { createTemplate } from '../../templates/create.ts'

/** The names before the `@`. The `capture` provider plays a bounce, a complaint and a delay for the last four. */
const people = ['ada', 'grace', 'linus', 'margaret', 'bounce', 'softbounce', 'complaint', 'delayed']
const subjects = ['Your order has shipped', 'Reset your password', 'Welcome to the shop', 'Your invoice for June']

/** Adds a domain, contacts in a segment, a template, and an email of every status. Returns what was added, in words. */
export async function addDemoData(app: App, teamId: string): Promise<string> {
  const name = `demo-${app.newId().slice(-6)}.test`
  const keys = await app.generateDkimKeys()
  await app.transaction((tx) => insertVerifiedDomain(tx, app.keyring, teamId, name, keys))
  await addContacts(app, teamId, name)
  await createTemplate(app, teamId, {
    name: 'Order shipped',
    html: '<h1>Hello {{name}}</h1><p>Your order {{order}} is on its way.</p>',
    text: 'Hello {{name}}\n\nYour order {{order}} is on its way.',
  })
  await sendEmails(app, teamId, name)
  return `the domain ${name}, ${people.length} contacts in a segment, a template and ${people.length} emails`
}

async function addContacts(app: App, teamId: string, domain: string): Promise<void> {
  const segment = await createSegment(app, teamId, { name: `Customers of ${domain}` })
  const contactIds: string[] = []
  for (const person of people) {
    const firstName = `${person[0]!.toUpperCase()}${person.slice(1)}`
    contactIds.push((await createContact(app, teamId, { email: addressOf(person, domain), firstName })).id)
  }
  await addNamedContacts(app, { teamId, segmentId: segment!.id, contactIds })
}

async function sendEmails(app: App, teamId: string, domain: string): Promise<void> {
  const caller: Caller = {
    ...{ kind: 'apiKey', id: teamId, teamId, permission: 'full_access', mode: 'live', domainId: null },
    ...(await findTerms(app.db, teamId))!,
  }
  for (const [index, person] of people.entries()) {
    const [subject, text] = [subjects[index % subjects.length]!, `Hello ${person}.`]
    await sendEmail(
      app,
      caller,
      { from: `Shop <hello@${domain}>`, to: [addressOf(person, domain)], subject, text },
      null,
    )
  }
}

const addressOf = (person: string, domain: string) => `${person}@people.${domain}`
