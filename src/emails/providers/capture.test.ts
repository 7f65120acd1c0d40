import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OutboundMessage } from '../provider.ts'
import { captureProvider } from './capture.ts'

async function play(...to: string[]) {
  const stored: OutboundMessage[] = []
  const provider = captureProvider({ store: async (message) => void stored.push(message) })
  const message: OutboundMessage = {
    teamId: 'team',
    emailId: 'email',
    domainName: 'shop.test',
    region: 'us-east-1',
    tls: 'opportunistic',
    messageId: '<1@shop.test>',
    envelope: { from: 'bounce@send.shop.test', to },
    raw: Buffer.from('Subject: x\r\n\r\nx'),
    summary: { from: 'a@shop.test', to, bcc: [], subject: 'x' },
    at: new Date('2030-06-15T12:00:00Z'),
  }
  const outcome = await provider.send(message)
  assert.deepEqual(stored, [message])
  assert(outcome.kind === 'answered')
  assert.deepEqual(outcome.accepted, to)
  return outcome.facts
}

const types = async (address: string) =>
  (await play(address)).map(({ type, permanent }) => (type === 'bounced' ? `${type} ${permanent}` : type))

const lives: Record<string, string[]> = {
  'ada@example.com': ['delivered'],
  'ada@shop.test': ['delivered'],
  'bounce@shop.test': ['bounced true'],
  'bounce@mail.shop.test': ['bounced true'],
  'Bounce+1@SHOP.TEST': ['bounced true'],
  'bounced@shop.test': ['bounced true'],
  'softbounce@shop.test': ['bounced false'],
  'softbounce-7@shop.test': ['bounced false'],
  'complaint@shop.test': ['delivered', 'complained'],
  'complaint.x@shop.test': ['delivered', 'complained'],
  'delayed@shop.test': ['delivery_delayed'],
  'bounce@example.com': ['delivered'],
  'bounce@test.example': ['delivered'],
  'bounce@shop.test.com': ['delivered'],
  'bounce@shoptest': ['delivered'],
  'nobounce@shop.test': ['delivered'],
  'a.bounce@shop.test': ['delivered'],
}

for (const [address, expected] of Object.entries(lives)) {
  test(`${address} is ${expected.join(', then ')}`, async () => assert.deepEqual(await types(address), expected))
}

test('each recipient has its own outcome, and one delivery names all recipients that got the message', async () => {
  const facts = await play('ada@example.com', 'bounce@x.test', 'complaint@x.test')
  assert.deepEqual(
    facts.map(({ type, recipient }) => `${type} ${recipient}`),
    ['delivered ada@example.com', 'bounced bounce@x.test', 'complained complaint@x.test'],
  )
  const { delivery } = facts[0]!.data as { delivery: { recipients: string[] } }
  assert.deepEqual(delivery.recipients, ['ada@example.com', 'complaint@x.test'])
})

test('events have the shape of Amazon SES', async () => {
  const [fact] = await play('bounce@x.test')
  const { bounce, mail, notificationType } = fact!.data as {
    notificationType: string
    mail: { messageId: string }
    bounce: { bounceType: string; bouncedRecipients: { emailAddress: string; diagnosticCode: string }[] }
  }
  assert.deepEqual([notificationType, mail.messageId, bounce.bounceType], ['Bounce', '1@shop.test', 'Permanent'])
  const [recipient] = bounce.bouncedRecipients
  assert.equal(recipient?.emailAddress, 'bounce@x.test')
  assert.match(recipient?.diagnosticCode ?? '', /^smtp; 550 5\.1\.1/)
})

test('a message that cannot be stored was not sent', async () => {
  const provider = captureProvider({ store: () => Promise.reject(new Error('full')) })
  await assert.rejects(provider.send({ envelope: { from: '', to: [] } } as unknown as OutboundMessage), /full/)
})
