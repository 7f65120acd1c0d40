import type pg from 'pg'

/** The body of each delivery: a `Send` notification, as every email has one. */
export const payload = JSON.stringify({
  type: 'email.sent',
  created_at: '2026-01-31T09:30:00.000Z',
  data: {
    email_id: '01890a5d-ac96-774b-bcce-b302099a8057',
    details: {
      notificationType: 'Send',
      mail: {
        timestamp: '2026-01-31T09:30:00.000Z',
        messageId: '01890a5d-ac96-774b-bcce-b302099a8057@sandbox.test',
        source: 'Shop <hello@sandbox.test>',
        destination: ['ada@example.com'],
        commonHeaders: {
          from: ['Shop <hello@sandbox.test>'],
          to: ['ada@example.com'],
          subject: 'Your order has shipped',
        },
      },
      smtpResponse: '250 2.0.0 taken',
    },
  },
})

/** Inserts pending deliveries of each webhook and their jobs into the real tables by SQL, all due at once. */
export async function fillDeliveries(pool: pg.Pool, teamId: string, webhookIds: string[], each: number): Promise<void> {
  const client = await pool.connect()
  await client.query('begin')
  await client.query(insertDeliveries, [teamId, webhookIds, each, payload])
  await client.query(insertJobs, [teamId, webhookIds])
  await client.query('commit')
  client.release()
}

/** Version 7, ordered by time like ours. */
const idOf = `(lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n & 4095), 3, '0')
  || '8' || substr(md5(random()::text), 1, 15))::uuid`

const insertDeliveries = `
  insert into webhook_deliveries (team_id, webhook_id, id, event_type, payload, due_at, created_at)
  select $1, webhook_id, ${idOf}, 'email.sent', $4, now(), now()
  from unnest($2::uuid[]) as webhook_id, generate_series(1, $3::int) as n
`

const insertJobs = `
  insert into jobs (kind, team_id, key, run_at, created_at)
  select 'webhooks.deliver', $1, webhook_id, now(), now() from unnest($2::uuid[]) as webhook_id
`

/** Counts the unfinished deliveries of these webhooks. */
export async function countPending(pool: pg.Pool, webhookIds: string[]): Promise<number> {
  const { rows } = await pool.query(
    'select count(*)::int as count from webhook_deliveries where webhook_id = any($1) and due_at is not null',
    [webhookIds],
  )
  return rows[0].count
}
