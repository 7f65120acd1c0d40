import { createHash, randomUUID } from 'node:crypto'
import Fastify, { type FastifyRequest } from 'fastify'
import pg from 'pg'

/**
 * Runs as a process that serves one email, the list and `POST /v1/emails` in the simplest way: Fastify with schemas, a
 * look-up of the key, one statement. It gets the connection from its environment, and sends its port to its parent.
 */

/** As many connections as ours. */
const pool = new pg.Pool({ ...JSON.parse(process.env.BENCH_CONNECTION!), max: 12 })
const server = Fastify()
const text = { type: 'string' }
const list = { type: 'array', items: text }
const orNull = (type: string, format?: string) => ({ type: [type, 'null'], ...(format && { format }) })
const time = { type: 'string', format: 'date-time' }

server.decorateRequest('teamId', '')
server.addHook('onRequest', async (request, reply) => {
  const key = request.headers.authorization?.replace('Bearer ', '') ?? ''
  const hash = createHash('sha256').update(key).digest()
  const { rows } = await pool.query({
    name: 'find-key',
    text: 'select team_id from bare_keys where hash = $1',
    values: [hash],
  })
  if (!rows[0]) return reply.code(401).send({ message: 'The key is unknown.' })
  request.setDecorator('teamId', rows[0].team_id)
})

function teamOf(request: FastifyRequest): string {
  return request.getDecorator('teamId')
}

const email = {
  type: 'object',
  properties: {
    ...{
      id: text,
      from_address: text,
      to_addresses: list,
      subject: text,
      html: orNull('string'),
      text: orNull('string'),
    },
    ...{ cc_addresses: { ...list, nullable: true }, bcc_addresses: { ...list, nullable: true }, status: text },
    ...{ scheduled_at: orNull('string', 'date-time'), created_at: time },
  },
}
const findEmail = `
  select email.id, from_address, to_addresses, cc_addresses, bcc_addresses, subject, content.html, content.text, status,
    scheduled_at, created_at
  from emails as email
  join email_contents as content on content.team_id = email.team_id and content.email_id = email.id
  where email.team_id = $1 and email.id = $2
`
server.get<{ Params: { id: string } }>('/v1/emails/:id', { schema: { response: { 200: email } } }, async (request) => {
  const values = [teamOf(request), request.params.id]
  return (await pool.query({ name: 'find-email', text: findEmail, values })).rows[0]
})

type Filter = { status?: string; subject?: string; sender?: string }
const item = {
  type: 'object',
  properties: {
    ...{ id: text, from_address: text, to_addresses: list, subject: text, status: text, domain_name: text },
    ...{ sent_at: orNull('string', 'date-time'), created_at: time },
  },
}
const page = { type: 'object', properties: { data: { type: 'array', items: item }, hasMore: { type: 'boolean' } } }
const conditions = { status: 'status =', subject: 'subject ilike', sender: 'from_address ilike' }
server.get<{ Querystring: Filter }>('/v1/emails', { schema: { response: { 200: page } } }, async (request) => {
  const given = (Object.keys(conditions) as (keyof Filter)[]).filter((name) => request.query[name])
  const where = given.map((name, index) => `and ${conditions[name]} $${index + 2}`).join(' ')
  const { rows } = await pool.query({
    name: `list-${given.join('-')}`,
    text: `select ${Object.keys(item.properties)} from emails where team_id = $1 ${where} order by id desc limit 21`,
    values: [teamOf(request), ...given.map((name) => request.query[name])],
  })
  return { data: rows.slice(0, 20), hasMore: rows.length > 20 }
})

type Sent = { from: string; to: string[]; subject: string; html: string; text: string }
const body = {
  type: 'object',
  required: ['from', 'to', 'subject'],
  properties: { from: text, to: list, subject: text, html: text, text },
}
const made = { type: 'object', properties: { id: text } }
const schema = { body, response: { 200: made } }
server.post<{ Body: Sent }>('/v1/emails', { schema }, async (request) => {
  const id = randomUUID()
  const { from, to, subject, html, text } = request.body
  await pool.query({
    name: 'insert-email',
    text: `insert into bare_emails (id, team_id, from_address, to_addresses, subject, html, text, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, now())`,
    values: [id, teamOf(request), from, to, subject, html, text],
  })
  return { id }
})

await server.listen({ host: '127.0.0.1', port: 0 })
const address = server.server.address()
process.send?.({ port: typeof address === 'object' ? address?.port : null })
process.on('disconnect', () => process.exit())
