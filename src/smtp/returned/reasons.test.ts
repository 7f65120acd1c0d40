import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ended,
  group,
  guessed,
  nothing,
  type Outcome,
  openOutcomes,
  report,
  smtp,
  suppressed,
  words,
} from './fixtures/outcomes.ts'

const { posthorn, send, handBack, known, check } = await openOutcomes()

const asText: [what: string, raw: string, outcome: Outcome][] = [
  ['a reply 550 below the address', words('ada@example.com\n   after RCPT TO:\n   550 No such user'), suppressed],
  ['a reply in quotes', words('<ada@example.com>: host mx.b.example said "553 sorry, no mailbox"'), suppressed],
  ['a reply in several lines', words('ada@example.com:\n550-We know nobody\n550 of this name'), suppressed],
  ['a reply before the address', words('>>> RCPT\n<<< 551 <ada@example.com>: User not local'), suppressed],
  ['a reply about the content', words('ada@example.com\n  SMTP error 554 Message rejected'), ended],
  ['a reply about a full mailbox', words('ada@example.com: 552 mailbox full'), ended],
  ['a temporary reply, after days', words('ada@example.com\n  Giving up. Last reply: 451 try later'), guessed],
  [
    'a temporary reply, as a warning',
    words('ada@example.com: 450 busy', 'Message delayed'),
    { status: 'delayed', event: 'delivery_delayed' },
  ],
  [
    'a reply about another address',
    words('Failed:\n<ada@example.com>: gone\n<bob@b.example>: 550 no such user'),
    guessed,
  ],
  ['a number that is no reply', words('Delivery failed to ada@example.com after 550 minutes on port 551'), guessed],
  [
    'a header that names the forwarded address',
    words('bob@b.example:\n 550 unknown', 'Failed', 'X-Failed-Recipients: bob@b.example\n'),
    suppressed,
  ],
  ['a receipt', words('Successfully delivered to:\nada@example.com (2.0.0)', 'Delivery receipt'), nothing],
  [
    'a receipt with another code',
    words('Your message was relayed.\nada@example.com: 250 2.6.0 queued', 'Success notice'),
    nothing,
  ],
  ['a note without a sign of failure', words('We have your message to ada@example.com.', 'Received'), nothing],
  [
    'a quarantine notice',
    words('Your message to ada@example.com was quarantined. It was not delivered yet.', 'Warning: quarantine'),
    nothing,
  ],
  [
    'an out-of-office note',
    words('ada@example.com is away until May. Phone: 550', 'Out of office: Hello', 'Auto-Submitted: auto-replied\n'),
    nothing,
  ],
  ['an absence in the text', words('I am out of the office. Write to ada@example.com again.', 'Hello'), nothing],
]
for (const [what, raw, outcome] of asText) test(`as text only: ${what}`, () => check(raw, outcome))

const about = 'Final-Recipient: rfc822; ada@example.com'
const asStatus: [what: string, raw: string, outcome: Outcome][] = [
  [
    'a folded action',
    report('Final-Recipient: rfc822;\n ada@example.com\nAction:\n\tfailed\nStatus:\n 5.1.1'),
    suppressed,
  ],
  [
    'an action behind a comment',
    report('Final-Recipient: rfc822; ada@example.com\nAction: (sorry) failed\nStatus: 5.1.1'),
    suppressed,
  ],
  [
    'the code of the SMTP reply before that of the report',
    report(group('5.2.0', 'Diagnostic-Code: SMTP; 550 5.7.1 looks like spam')),
    { ...ended, said: /5\.7\.1/ },
  ],
  [
    'the code of the SMTP reply, which blames the address',
    report(group('5.7.0', 'Diagnostic-Code: smtp; 550-5.1.1 unknown')),
    suppressed,
  ],
  ['an SMTP reply of another class', report(group('5.1.1', 'Diagnostic-Code: smtp; 450 4.2.0 greylisted')), suppressed],
  ['a code of another program', report(group('5.2.0', 'Diagnostic-Code: x-unix; 554 5.7.1 spam')), suppressed],
  [
    'the reply in the text alone',
    report(group('5.0.0'), 'Hi!\n\nada@example.com: 550 5.1.1 No such user here'),
    { ...suppressed, said: /^smtp; 550 5\.1\.1 No such user here$/ },
  ],
  [
    'the reply without a code of its own in the text alone',
    report(group('5.0.0'), '  ada@example.com\n    550 sorry'),
    suppressed,
  ],
  [
    'a policy in the text alone',
    report(group('5.2.0'), '<ada@example.com>: 550 5.7.1 no\n'),
    { ...ended, said: /5\.7\.1/ },
  ],
  [
    'words in the text alone',
    report(group('5.0.0'), 'These failed:\n\n  ada@example.com\n    unknown user ada'),
    { ...suppressed, said: /^x-words; unknown user ada$/ },
  ],
  [
    'words of another reason in the text alone',
    report(group('5.0.0'), '  ada@example.com\n    retry time exceeded'),
    { ...ended, said: /^x-words; retry time exceeded$/ },
  ],
  [
    'a text about another address',
    report(group('5.0.0'), 'bob@b.example: 550 5.1.1 unknown'),
    { ...ended, said: /^status; 5\.0\.0/ },
  ],
  ['a failure with a code of success', report(group('2.0.0')), nothing],
  ['Exchange’s code of a host that refused connections until the end', report(group('5.4.316')), ended],
  ['Exchange’s code of a message that ran out of time', report(group('5.4.300')), ended],
  ['Exchange’s code of a domain that does not exist', report(group('5.4.310')), suppressed],
  ['Exchange’s code of a loop', report(group('5.4.14')), ended],
  ['Postfix’s code of a loop', report(group('5.4.0', smtp('554 5.4.0 Error: too many hops'))), ended],
  ['a bad connection', report(group('5.4.2')), ended],
  ['a directory that failed', report(group('5.4.3')), ended],
  ['a next server that does not fit', report(group('5.1.9')), ended],
  ['Exchange’s code of a sender with too many recipients in a day', report(group('5.1.90')), ended],
  ['Exchange’s code of an unknown recipient', report(group('5.4.1')), suppressed],
  ['a domain without hosts', report(group('5.4.4')), suppressed],
  ['Exchange’s code of a recipient with too much mail in an hour', report(group('5.2.122')), ended],
  ['Gmail’s code of too much mail in a day', report(group('5.4.5')), ended],
  ['Gmail’s words about too much mail', report(group('5.2.1', smtp('550-5.2.1 receiving mail at a rate that'))), ended],
  ['a sender that is refused', report(group('5.1.0', smtp('550 5.1.0 Sender denied'))), ended],
  ['an address that is refused', report(group('5.1.0', smtp('550 5.1.0 Address rejected'))), suppressed],
  ['a virus', report(group('5.0.0', smtp('550 This message contains a virus'))), ended],
  ['a size', report(group('5.0.0', smtp('550 message size exceeds limit'))), ended],
  ['a host that gives a wrong name', report(group('5.0.0', smtp('550 Invalid HELO name'))), ended],
  ['a refused host', report(group('5.0.0', smtp('550 Access denied - bad IP'))), ended],
  ['a refused network', report(group('5.0.0', smtp('550 Connection from 192.0.2.1 refused'))), ended],
  ['a refused message', report(group('5.0.0', smtp('550 message rejected'))), ended],
  ['members alone', report(group('5.0.0', smtp('550 this list accepts mail from members'))), ended],
  [
    'a sender whose own host does not know them',
    report(group('5.0.0', smtp('550-Response: 550 unknown user\n 550 Sender verify failed'))),
    ended,
  ],
  [
    'no mailbox, and an address of a host',
    report(group('5.0.0', smtp('550 no mailbox here (IP 192.0.2.1)'))),
    suppressed,
  ],
  ['a failure without an action', report(`${about}\nStatus: 5.1.1`), suppressed],
  ['a failure with an action in German', report(`${about}\nAction: fehlgeschlagen\nStatus: 5.1.1`), suppressed],
  ['a failure with a reply alone', report(`${about}\n${smtp('550 no such user')}`), suppressed],
  ['a temporary status without an action', report(`${about}\nStatus: 4.4.1`), guessed],
  ['a success without an action', report(`${about}\nStatus: 2.1.5`), nothing],
  ['a relay, whatever the status', report(`${about}\nAction: relayed\nStatus: 5.1.1`), nothing],
  ['a status without a recipient', report('', 'ada@example.com: 550 5.1.1 No such user'), suppressed],
]
for (const [what, raw, outcome] of asStatus) test(`as a status: ${what}`, () => check(raw, outcome))

test('an event and a webhook about a delay or failure name the recipient and the reason, and not where mail is forwarded to', async () => {
  const team = await posthorn.team()
  const { body } = await team.api.post('/v1/webhooks', {
    endpointUrl: 'https://hooks.invalid/',
    events: ['email.delivery_delayed', 'email.bounced'],
  })
  const { id, returnAddress } = await send(team)
  const about = 'Final-Recipient: rfc822; private@home.example\nOriginal-Recipient: rfc822; ada@example.com'
  const delayed = report(`${about}\nAction: delayed\nStatus: 4.4.1\nDiagnostic-Code: smtp; 451 4.4.1 later`)
  await handBack(returnAddress, delayed.replaceAll('RETURN', returnAddress).replaceAll('\n', '\r\n'))
  const { details } = await known(team, id)
  assert.deepEqual(details.deliveryDelay.delayedRecipients, [
    { emailAddress: 'ada@example.com', status: '4.4.1', diagnosticCode: 'smtp; 451 4.4.1 later' },
  ])
  const failed = report(`${about}\nAction: failed\nStatus: 5.0.0`, '<private@home.example>: unknown user')
  await handBack(returnAddress, failed.replaceAll('RETURN', returnAddress).replaceAll('\n', '\r\n'))
  const answers = [await team.api.get(`/v1/emails/${id}`), await team.api.get(`/v1/emails/${id}/events`)]
  const deliveries = `/v1/webhooks/${body.id}/deliveries`
  for (const delivery of (await team.api.get(deliveries)).body.data) {
    answers.push(await team.api.get(`${deliveries}/${delivery.id}`))
  }
  assert.ok(answers.length >= 4)
  for (const { text } of answers) assert.doesNotMatch(text, /private@|isGuess|"names"|"action":"delayed"/)
  assert.match(answers[1]!.text, /x-words; unknown user/)
})
