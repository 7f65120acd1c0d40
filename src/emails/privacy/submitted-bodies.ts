import { sql } from 'kysely'
import type { Db } from '../../context.ts'
import { namesPerson } from '../../platform/privacy/names-person.ts'
import type { Person } from '../../platform/privacy/person.ts'
import type { Found, FoundPage } from '../../platform/privacy/trace.ts'
import { takeTurn } from '../../platform/waiting/turns.ts'
import { shownTexts, type Texts } from '../mime/source/shown-texts.ts'
import { hasEnded } from '../retention/remove-bodies.ts'

/** Emails of one page. It has fewer if the messages among them are larger than `pageBytesMax` together. */
const emailsMax = 200
const pageBytesMax = 2 * 1024 * 1024

type Submitted = Texts & { id: string }

/**
 * Reads a page of the emails whose bodies are decoded from a submitted message, and returns those whose bodies name the
 * person. The rows are those of `email_contents` with the bodies in them.
 */
export async function findSubmittedBodies(db: Db, teamId: string, person: Person, after: string): Promise<FoundPage> {
  const page = await readPage(db, teamId, after)
  const submitted: Submitted[] = []
  for (const { id, source } of page) {
    if (!source) continue
    // Requests are answered between two messages.
    await takeTurn()
    const texts = shownTexts(source)
    if ([texts.html, texts.text].some((text) => namesPerson(text, 'text', person))) submitted.push({ id, ...texts })
  }
  const isLast = page.length < emailsMax && page.length === (page[0]?.found ?? 0)
  return { found: submitted.map(foundRow), next: isLast ? null : page.at(-1)!.id }
}

/** `found` is the number of emails before those were left out that are too large for the page. */
async function readPage(db: Db, teamId: string, after: string) {
  const { rows } = await sql<{ id: string; source: Buffer | null; found: number }>`
    select id, source, found from (
      select id, source, count(*) over ()::int as found, row_number() over (order by id) as place,
        sum(octet_length(source)) over (order by id rows unbounded preceding) as bytes
      from (
        select email_id as id, case when ${hasEnded} then source end as source
        from email_contents join emails as email on email.team_id = ${teamId} and email.id = email_id
        where email_contents.team_id = ${teamId} ${after ? sql`and email_id > ${after}` : sql``}
        order by email_id limit ${emailsMax}
      ) as page
    ) as measured
    where place = 1 or bytes is null or bytes <= ${pageBytesMax}
    order by id
  `.execute(db)
  return rows
}

function foundRow({ id, html, text }: Submitted): Found {
  return { key: [id], row: { email_id: id, html, text, letter_id: null, variables: null } }
}
