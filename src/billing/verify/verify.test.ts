import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestApp } from '../../../test/app.ts'
import { acceptMessages, answerMessages, type SentMessage } from '../fixtures/messages.ts'
import type { Zone } from '../rate-card.ts'
import { verifyBilling } from './verify.ts'

const posthorn = await createTestApp()
const { app } = posthorn

/** A team with every kind of entry: nine messages, the last two overage, the first and the last refused. */
async function makeBooks() {
  const team = await posthorn.team({ plan: 'pro' })
  const sent = await acceptMessages(app, team.id, [1, ...new Array<Zone>(7).fill(3), 3, 3])
  await answerMessages(app, team.id, [sent[0]!, sent[9]!], false)
  await answerMessages(app, team.id, sent.slice(1, 9), true)
  return { teamId: team.id, sent }
}

async function differencesOf(teamId: string): Promise<string[]> {
  const found: string[] = []
  await verifyBilling(app, teamId, (_, differences) => found.push(...differences))
  return found
}

async function damage(statement: ReturnType<typeof sql>): Promise<void> {
  const result = await statement.execute(app.db)
  assert.ok(result.numAffectedRows! > 0n, 'the damage was done')
}

type Books = { teamId: string; sent: SentMessage[] }
const [refused, paid, overage] = [0, 1, 8]

const kinds: [name: string, damage: (books: Books) => ReturnType<typeof sql>, told: RegExp][] = [
  [
    'a balance that is not the sum of its entries',
    ({ teamId }) => sql`update sms_credit set balance_units = balance_units + 100 where team_id = ${teamId}`,
    /^its credit is \$0\.26, its entries add up to \$0\.25$/,
  ],
  [
    'an entry that is gone',
    ({ teamId }) => sql`delete from sms_ledger where team_id = ${teamId} and kind = 'grant'`,
    /its credit was -\$0\.02 after entry \d+; its credit is \$0\.25, its entries add up to -\$1\.75/,
  ],
  [
    'a message that was not charged',
    ({ sent }) => sql`delete from sms_ledger where message_id = ${sent[overage]!.id}`,
    /message \S+ was not charged/,
  ],
  [
    'a charge at another rate',
    ({ sent }) => sql`update sms_ledger set overage_units = 800 where message_id = ${sent[overage]!.id}`,
    /was charged \$0\.08, its zone costs \$0\.25/,
  ],
  [
    'a charge in another zone',
    ({ sent }) => sql`update sms_ledger set zone = 1 where message_id = ${sent[paid]!.id}`,
    /was charged in zone 1, and is in 3/,
  ],
  [
    'a price that nobody charged',
    ({ sent }) => sql`update sms_messages set price_units = 0 where id = ${sent[paid]!.id}`,
    /has the price \$0\.00 on it; its counter .* says \$2\.00 spent, its messages cost \$1\.75$/,
  ],
  [
    'a refused message that is charged',
    ({ sent }) => sql`delete from sms_ledger where message_id = ${sent[refused]!.id} and kind = 'reversal'`,
    /was refused, and is charged all the same/,
  ],
  [
    'a message that went out for nothing',
    ({ sent }) => sql`update sms_messages set billable = true where id = ${sent[refused]!.id}`,
    /was not refused, and its charge was taken back/,
  ],
  [
    'a reversal by another amount',
    ({ sent }) =>
      sql`update sms_ledger set credit_units = 500 where message_id = ${sent[refused]!.id} and kind = 'reversal'`,
    /by another amount than it was charged/,
  ],
  [
    'a reversal of nothing',
    ({ sent }) => sql`delete from sms_ledger where message_id = ${sent[refused]!.id} and kind = 'debit'`,
    /reverses message \S+, which was never charged/,
  ],
  [
    'a charge of no message',
    ({ sent }) => sql`delete from sms_messages where id = ${sent[paid]!.id}`,
    /charges message \S+, which does not exist; its counter/,
  ],
  [
    'overage that is not reported',
    ({ sent }) => sql`delete from sms_usage_reports where message_id = ${sent[overage]!.id}`,
    /is overage that is not going to be reported; 0 messages are reported .*, 1 are overage/,
  ],
  [
    'a report of what is no overage',
    ({ teamId, sent }) =>
      sql`insert into sms_usage_reports (team_id, message_id, zone, sent_at, reported_at)
          values (${teamId}, ${sent[paid]!.id}, 3, now(), now())`,
    /is reported as overage, and is none; 2 messages are reported .*, 1 are overage/,
  ],
  [
    'a report of no message',
    ({ teamId }) =>
      sql`insert into sms_usage_reports (team_id, message_id, zone, sent_at, reported_at)
          values (${teamId}, ${app.newId()}, 3, now(), now())`,
    /^2 messages are reported .*, 1 are overage$/,
  ],
  [
    'overage that nobody reports',
    ({ teamId }) => sql`delete from jobs where kind = 'billing.report-usage' and key = ${teamId}`,
    /^overage waits to be reported, and no job does it$/,
  ],
  [
    'a counter of messages',
    ({ teamId }) => sql`update sms_usage set messages_today = 9 where team_id = ${teamId}`,
    /^its counter of 2030-06-15 says 9 messages, there are 10$/,
  ],
  [
    'a counter of money',
    ({ teamId }) => sql`update sms_usage set spend_units_today = 1 where team_id = ${teamId}`,
    /^its counter of 2030-06-15 says \$0\.0001 spent, its messages cost \$2\.00$/,
  ],
  [
    'counters that are not there',
    ({ teamId }) => sql`delete from sms_usage where team_id = ${teamId}`,
    /^messages count against 2030-06-15, its counters are of no day$/,
  ],
]

for (const [name, harm, told] of kinds) {
  test(`it names ${name}`, async () => {
    const books = await makeBooks()
    assert.deepEqual(await differencesOf(books.teamId), [])
    await damage(harm(books))
    assert.match((await differencesOf(books.teamId)).join('; '), told)
  })
}

test('unanswered messages, withdrawn messages and earlier days are not differences', async () => {
  const { teamId, sent } = await makeBooks()
  posthorn.clock.advance(86_400_000)
  const [underWay, withdrawn] = await acceptMessages(app, teamId, [2, 2])
  assert.equal(underWay!.paidFrom, 'credit')
  await answerMessages(app, teamId, [withdrawn!], false)
  await damage(sql`delete from sms_messages where id = ${withdrawn!.id}`)
  await damage(sql`update sms_usage set messages_today = messages_today - 1 where team_id = ${teamId}`)
  await damage(sql`update sms_messages set status = 'failed' where id = ${sent[paid]!.id}`)
  assert.deepEqual(await differencesOf(teamId), [])
})

test('if every message of a team differs the first few are named, and the others counted', async () => {
  const { teamId } = await makeBooks()
  await damage(sql`update sms_ledger set zone = 2 where team_id = ${teamId} and kind in ('debit', 'overage')`)
  const differences = await differencesOf(teamId)
  assert.equal(differences.length, 6)
  assert.equal(differences[5], 'and 5 more differences')
})

test('each team is read in a separate snapshot and reported outside it, so that later changes are seen', async () => {
  const [one, other] = [(await makeBooks()).teamId, (await makeBooks()).teamId]
  const harm = (teamId: string) => sql`update sms_credit set balance_units = 1 where team_id = ${teamId}`
  for (const teamId of [one, other]) await damage(harm(teamId))
  const told: string[] = []
  await verifyBilling(app, null, async (teamId) => {
    if (teamId !== one && teamId !== other) return
    told.push(teamId)
    await damage(sql`update sms_credit set balance_units = 2500 where team_id = ${other}`)
  })
  assert.deepEqual(told, [one])
})
