import { type ContactRow, findReachedContact } from '../contacts/queries.ts'
import type { App, Caller } from '../context.ts'
import { parseMailbox } from '../emails/mailbox.ts'
import { parseEmail } from '../emails/messages/accept/parse.ts'
import { sendOnce } from '../emails/messages/send.ts'
import { invalid } from '../platform/errors.ts'
import { normalizeAddress } from '../platform/text/mail-address.ts'
import { addresseeKey, findSuppressed } from '../suppressions/queries.ts'
import { renderBroadcast } from './content/render.ts'
import { valuesOfNobody } from './content/variables.ts'
import { getBroadcast } from './get.ts'
import type { BroadcastTest } from './results/schema.ts'
import type { Broadcast } from './schema.ts'

/**
 * Sends a broadcast in any state to a few addresses, to each once in an email of its own. Throws the refusals of
 * `sendEmail`: those of a suppressed address before anything is sent.
 */
export async function testBroadcast(app: App, caller: Caller, id: string, { to, contactId }: BroadcastTest) {
  const broadcast = await getBroadcast(app, caller, id)
  const contact = contactId === undefined ? null : await findReachedContact(app.db, caller, contactId)
  if (contact === undefined) throw invalid('contactId', 'is not a contact of this team')
  const all = to.map((address, index) => commandTo(app, broadcast, contact, address, index))
  const first = new Map(all.toReversed().map((command) => [normalizeAddress(command.recipients[0]!), command]))
  const commands = all.filter((command) => first.get(normalizeAddress(command.recipients[0]!)) === command)
  const pairs = commands.map(({ recipients }) => ({ teamId: caller.teamId, address: recipients[0]! }))
  const suppressed = await findSuppressed(app, pairs)
  const isSuppressed = ({ recipients }: (typeof commands)[number]) =>
    suppressed.has(addresseeKey({ teamId: caller.teamId, address: recipients[0]! }))
  const emailIds = []
  for (const command of [...commands.filter(isSuppressed), ...commands.filter((one) => !isSuppressed(one))]) {
    emailIds.push((await sendOnce(app, caller, broadcast.from, null, async () => command)).id)
  }
  return { emailIds }
}

function commandTo(app: App, broadcast: Broadcast, contact: ContactRow | null, address: string, index: number) {
  const mailbox = parseMailbox(address)
  if (!mailbox) throw invalid(`to[${index}]`, 'must be an address, such as ada@example.com')
  const { subject, html, text } = renderBroadcast(app, broadcast, contact ?? valuesOfNobody(mailbox.address))
  const { from, replyTo } = broadcast
  const email = {
    from,
    to: [address],
    subject,
    ...(html && { html }),
    ...(text && { text }),
    ...(replyTo && { replyTo }),
  }
  return { ...parseEmail(email, app.clock.now()), untracked: true as const }
}
