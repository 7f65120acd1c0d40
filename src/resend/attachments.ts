import type { App } from '../context.ts'
import { attachmentsMaxBytes } from '../emails/bounds.ts'
import type { SendEmailBody } from '../emails/schema.ts'
import { invalid } from '../platform/errors.ts'
import type { GivenAttachment } from './email-body.ts'

/** All files of an email together, so that a slow host holds a request no longer. */
const fetchMaxMs = 30_000

type Ours = NonNullable<SendEmailBody['attachments']>

/** Reads attachments; those with a `path` are fetched from hosts that the egress guard allows. Throws `invalid`. */
export async function readAttachments(app: App, teamId: string, given: GivenAttachment[]): Promise<Ours> {
  const signal = AbortSignal.timeout(fetchMaxMs)
  let leftBytes = attachmentsMaxBytes
  const read: Ours = []
  for (const [index, attachment] of given.entries()) {
    const { path, content_type: contentType, content_id: contentId } = attachment
    const at = `attachments[${index}]`
    if (attachment.filename === true) throw invalid(`${at}.filename`, 'must be a text or false')
    if ((attachment.content === undefined) === (path === undefined)) throw invalid(at, 'needs either content or path')
    const fetched = path === undefined ? null : await fetchFile(app, { teamId, path, at, leftBytes, signal })
    leftBytes -= fetched?.length ?? 0
    const filename = attachment.filename || nameIn(path) || 'attachment'
    const content = attachment.content ?? fetched!.toString('base64')
    read.push({ filename, content, ...(contentType && { contentType }), ...(contentId && { contentId }) })
  }
  return read
}

type Wanted = { teamId: string; path: string; at: string; leftBytes: number; signal: AbortSignal }

async function fetchFile(app: App, { teamId, path, at, leftBytes, signal }: Wanted): Promise<Buffer> {
  const request = { teamId, url: path, method: 'GET', timeoutMs: fetchMaxMs, bodyMaxBytes: leftBytes, signal } as const
  const answer = await app.egress.request(request)
  if (answer.kind !== 'answered') throw invalid(`${at}.path`, `cannot be fetched: ${answer.reason.slice(0, 300)}`)
  if (answer.status !== 200) throw invalid(`${at}.path`, `cannot be fetched: its host answered ${answer.status}`)
  if (answer.truncated) throw invalid(`${at}.path`, 'makes the attachments larger than 25 MiB together')
  return answer.body
}

function nameIn(path: string | undefined): string {
  if (path === undefined || !URL.canParse(path)) return ''
  const last = new URL(path).pathname.split('/').at(-1)!
  try {
    return decodeURIComponent(last)
      .replace(/\p{Cc}/gu, '')
      .slice(0, 255)
  } catch {
    return last.slice(0, 255)
  }
}
