import type pg from 'pg'
import type { Read } from './measure-reads.ts'

/** The selects give the page with the segments and topics of each contact in one statement; segments without counts. */
export function contactReads(database: pg.Pool, teamId: string): Read[] {
  const read = (what: string, path: string, name: string, text: string, values: unknown[]): Read => ({
    ...{ what, path: () => path, against: 'bare select', ratioMin: 0.7, p99MaxMs: 20 },
    bare: async () => void (await database.query({ name, text, values: [teamId, ...values] })),
  })
  const search = page('and search_text ilike $2')
  return [
    read('GET /v1/contacts', '/v1/contacts', 'contacts', page(''), []),
    read('GET /v1/contacts, rare word', '/v1/contacts?search=zebra', 'rare', search, ['%zebra%']),
    read('GET /v1/contacts, common word', '/v1/contacts?search=maria', 'common', search, ['%maria%']),
    read('GET /v1/segments with counts', '/v1/segments', 'segments', segments, []),
  ]
}

const columns = 'id, email, first_name, last_name, phone_number, unsubscribed, properties, created_at, updated_at'

const page = (where: string) => `
  select ${columns},
    (select json_agg(json_build_object('segmentId', segment.id, 'name', segment.name))
      from segment_contacts as member
      join segments as segment on segment.team_id = member.team_id and segment.id = member.segment_id
      where member.team_id = $1 and member.contact_id = contact.id) as segments,
    (select json_agg(json_build_object('topicId', topic.id, 'name', topic.name))
      from topic_subscriptions as subscription
      join topics as topic on topic.team_id = subscription.team_id and topic.id = subscription.topic_id
      where subscription.team_id = $1 and subscription.contact_id = contact.id and status = 'opt_in') as topics
  from (select ${columns} from contacts where team_id = $1 ${where} order by id desc limit 21) as contact
`

const segments = 'select id, name, created_at from segments where team_id = $1 order by id desc'
