import type { App, Caller } from '../context.ts'
import { attachmentsMaxBytes } from '../emails/bounds.ts'
import type { EmailCommand } from '../emails/messages/email.ts'
import { checkEmail } from '../emails/messages/send.ts'
import type { SendEmailBody } from '../emails/schema.ts'
import { invalid } from '../platform/errors.ts'
import { tooManyBytes } from '../platform/http/body/read-body.ts'
import type { ByteLease } from '../platform/limits/byte-budget.ts'
import type { GivenAttachment } from './email-body.ts'

/** All files of an email together, so that a slow host holds a request no longer. */
const fetchMaxMs = 30_000
/** One request asks no more hosts than this on behalf of its sender. */
const pathsMax = 10

type Ours = NonNullable<SendEmailBody['attachments']>

/** Reads attachments. Those with a `path` are empty until `withFiles` fetches them. Throws `invalid`. */
export function readAttachments(given: GivenAttachment[]): Ours {
  if (given.filter(hasPath).length > pathsMax) throw invalid('attachments', `has more than ${pathsMax} with a path`)
  return given.map(({ filename, content, path, content_type: contentType, ...named }, index) => {
    const at = `attachments[${index}]`
    if (filename === true) throw invalid(`${at}.filename`, 'must be a text or false')
    // Some packages write an empty content beside a path.
    const hasContent = content !== undefined && !(content === '' && path !== undefined)
    if (hasContent === (path !== undefined)) throw invalid(at, 'needs either content or path')
    const name = filename || nameIn(path) || 'attachment'
    const contentId = named.content_id ?? named.inline_content_id
    return {
      filename: name,
      content: content ?? '',
      ...(contentType && { contentType }),
      ...(contentId && { contentId }),
    }
  })
}

function hasPath({ path }: GivenAttachment): boolean {
  return path !== undefined
}

/** `lease` counts the bytes of the files. */
type Fetching = { caller: Caller; given: GivenAttachment[]; lease: ByteLease }

/**
 * Fetches the files of attachments with a `path`, from public addresses only: a key that may only send must not read
 * what the operator opens to webhooks and workflows. Nothing is fetched for an email that is refused without its files.
 * Throws `invalid`, and `unavailable` if the lease has no room.
 */
export async function withFiles(app: App, command: EmailCommand, { given, ...more }: Fetching): Promise<EmailCommand> {
  if (!given.some(hasPath)) return command
  await checkEmail(app, more.caller, command)
  const attachments = [...command.attachments]
  let leftBytes = attachments.reduce((left, { content }) => left - content.length, attachmentsMaxBytes)
  const signal = AbortSignal.timeout(fetchMaxMs)
  for (const [index, { path }] of given.entries()) {
    if (path === undefined) continue
    const content = await fetchFile(app, { ...more, path, at: `attachments[${index}]`, leftBytes, signal })
    leftBytes -= content.length
    attachments[index] = { ...attachments[index]!, content }
  }
  return { ...command, attachments }
}

type Wanted = Omit<Fetching, 'given'> & { path: string; at: string; leftBytes: number; signal: AbortSignal }

async function fetchFile(
  app: App,
  { caller: { teamId }, lease, path, at, leftBytes, signal }: Wanted,
): Promise<Buffer> {
  let isFull = false
  const hasRoom = (sizeBytes: number) => {
    isFull = !lease.take(sizeBytes)
    return !isFull
  }
  const bounds = { timeoutMs: fetchMaxMs, bodyMaxBytes: leftBytes, hasRoom, signal }
  const answer = await app.egress.request({ teamId, url: path, method: 'GET', toPublic: true, ...bounds })
  if (isFull) throw tooManyBytes()
  if (answer.kind !== 'answered')
    throw invalid(`${at}.path`, `cannot be fetched: ${answer.reason.slice(0, 300).replace(/\.$/, '')}`)
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
