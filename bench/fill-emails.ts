import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

export type Sandbox = { teamId: string; domainId: string }

export async function findSandbox(pool: pg.Pool): Promise<Sandbox> {
  const { rows } = await pool.query(
    `select team_id as "teamId", id as "domainId" from domains where name = 'sandbox.test'`,
  )
  return rows[0]
}

const chunk = 20_000

/**
 * Inserts the emails `from` up to `to` into the real tables, so that triggers count them: all statuses, mostly
 * delivered, from five senders. One subject in eight contains "order", one in ten thousand "zebra".
 */
export async function fillEmails(pool: pg.Pool, sandbox: Sandbox, from: number, to: number): Promise<void> {
  const client = await pool.connect()
  for (let first = from; first < to; first += chunk) {
    await client.query('begin')
    await client.query(insertEmails, [sandbox.teamId, sandbox.domainId, first, Math.min(first + chunk, to) - 1])
    await client.query(insertContents, [sandbox.teamId, first, Math.min(first + chunk, to) - 1])
    await client.query('commit')
  }
  // Stored counts of searches include all emails of the past, to which nothing else adds.
  await client.query('delete from email_search_counts where team_id = $1', [sandbox.teamId])
  // Does what autovacuum would have done meanwhile.
  await client.query('vacuum (analyze) emails')
  await client.query('vacuum (analyze) email_contents')
  client.release()
  await untilFolded(pool, 'email_count_changes')
}

/** Version 7, so that a later email has a greater id: a tenth of a second apart, the last ones of now. */
export const idOf = `(lpad(to_hex(1780000000000 + n * 100::bigint), 12, '0') || '7' || lpad(to_hex(n & 4095), 3, '0')
  || '8' || substr(md5(n::text), 1, 15))::uuid`

const insertEmails = `
  insert into emails (team_id, id, domain_id, domain_name, from_address, to_addresses, subject, status, message_id, sent_at, created_at)
  select $1, id, $2, 'sandbox.test', sender || ' <' || lower(sender) || '@sandbox.test>',
    array['person' || n % 50000 || '@example.com'], subject, status, '<' || id || '@sandbox.test>',
    case when status not in ('scheduled', 'cancelled') then at end, at
  from (
    select n, ${idOf} as id, to_timestamp(1780000000 + n / 10.0) as at,
      (array['Shop', 'Billing', 'News', 'Support', 'Alerts'])[1 + n % 5] as sender,
      (array['Your order has shipped', 'Reset your password', 'Welcome to the shop', 'Your invoice is here',
        'Somebody signed in', 'News of the week', 'Your ticket was answered', 'Please confirm your address'])[1 + n % 8]
        || ' ' || (array['today', 'again', 'soon', 'at last'])[1 + n / 8 % 4] || ' ' || md5((n / 3)::text)
        || case when n % 10000 = 77 then ' zebra' else '' end as subject,
      (array['delivered', 'delivered', 'delivered', 'delivered', 'delivered', 'delivered', 'delivered', 'delivered',
        'delivered', 'delivered', 'sent', 'sent', 'bounced', 'complained', 'delayed', 'cancelled', 'scheduled'])[1 + n % 17] as status
    from generate_series($3::int, $4::int) as n
  ) as made
`

const insertContents = `
  insert into email_contents (team_id, email_id, html, text)
  select $1, ${idOf}, '<p>' || repeat('Hello. ', 20) || '</p>', repeat('Hello. ', 20)
  from generate_series($2::int, $3::int) as n
`

/** Resolves when the counts are folded, which the running server does every few seconds. */
export async function untilFolded(pool: pg.Pool, changes: string): Promise<void> {
  for (let waits = 0; waits < 600; waits++) {
    const { rows } = await pool.query(`select count(*)::int as left from ${changes}`)
    if (rows[0].left === 0) return
    await sleep(100)
  }
  throw new Error('The counts were not folded within a minute.')
}
