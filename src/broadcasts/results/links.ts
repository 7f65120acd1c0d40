import { sql } from 'kysely'
import type { App, Caller } from '../../context.ts'
import { runHeavyRead } from '../../platform/http/overload/heavy-reads.ts'
import { type PageQuery, pageOfFixed } from '../../platform/pagination.ts'
import { getBroadcast } from '../get.ts'

type Link = { url: string; clicks: number; recipients: number }

/** An email has at most 2000 tracked links; those beyond this number have few clicks. */
const linksMax = 1000

/** Lists a page of the links that people clicked in the emails of a broadcast, most clicks first. */
export async function listBroadcastLinks(app: App, caller: Caller, id: string, query: PageQuery) {
  await getBroadcast(app, caller, id)
  const { teamId } = caller
  const { rows } = await runHeavyRead(app, teamId, 'search', () =>
    sql<Link>`
      select event.data->'click'->>'link' as url, count(*)::int as clicks, count(distinct event.email_id)::int as recipients
      from broadcast_recipients as recipient
      join email_events as event on event.team_id = recipient.team_id and event.email_id = recipient.email_id
      where recipient.team_id = ${teamId} and recipient.broadcast_id = ${id} and recipient.clicked
        and event.type = 'clicked' and event.data->>'bot' is distinct from 'true' and event.data->'click'->>'link' is not null
      group by url order by clicks desc, (event.data->'click'->>'link') collate "C" limit ${linksMax}
    `.execute(app.db),
  )
  return pageOfFixed(app.keyring, { list: 'broadcast links', teamId, filters: { id } }, query, rows, nameOf, isBehind)
}

/** A page begins by the clicks that the last link had, since people click between two pages. */
function nameOf({ clicks, url }: Link): string {
  return `${clicks} ${url}`
}

function isBehind({ clicks, url }: Link, named: string): boolean {
  const [, before, last = ''] = /^(\d+) (.*)$/s.exec(named) ?? []
  return clicks < Number(before) || (clicks === Number(before) && url > last)
}
