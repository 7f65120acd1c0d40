import { basename } from 'node:path'
import type { EmailToSend } from '../../../sdk/src/email.ts'
import type { Call } from '../call.ts'
import { limitOfUpload } from '../client.ts'
import { usageFailure } from '../failure.ts'
import { readBytes, readText } from '../fields.ts'
import { idOf } from '../find.ts'
import type { Values } from '../flags.ts'
import { readStdin } from '../io.ts'
import { nouns } from '../nouns.ts'
import { linesText } from '../output/table.ts'

/** Sends one email. */
export async function send(call: Call): Promise<undefined> {
  const { values } = call
  const email = await emailOf(call)
  const key = values['idempotency-key']
  const sent = await call.client().emails.send(email, {
    ...limitOfUpload(sizeOf(email)),
    ...(key !== undefined && { idempotencyKey: String(key) }),
  })
  const { id, status, to, subject, scheduledAt } = sent
  call.show(sent, () => linesText({ id, status, to, subject, ...(scheduledAt && { scheduledAt }) }))
}

async function emailOf(call: Call): Promise<EmailToSend> {
  const { values } = call
  const variables = pairsOf('var', values)
  const tags = pairsOf('tag', values)
  const attachments = ((values.attach ?? []) as string[]).map(attachmentOf)
  return {
    from: needed('from', values),
    to: neededList('to', values),
    subject: needed('subject', values),
    ...(await contentOf(call)),
    ...plain({ cc: values.cc, bcc: values.bcc, replyTo: values['reply-to'], scheduledAt: values.at }),
    ...plain({ templateVariables: variables, tags }),
    ...(attachments.length > 0 && { attachments }),
  }
}

/** Bytes become text in base64, four for each three. */
function sizeOf({ attachments = [], html = '', text = '' }: EmailToSend): number {
  const files = attachments.map(({ content }) => (content as Uint8Array).length * (4 / 3))
  return [...files, html?.length ?? 0, text?.length ?? 0].reduce((sum, size) => sum + size, 0)
}

/** Without a flag that says the content, the text comes from a pipe. */
async function contentOf(call: Call): Promise<Partial<EmailToSend>> {
  const { values, io } = call
  const { html, text, template, 'html-file': file } = values
  if (html !== undefined && file !== undefined) throw usageFailure('--html and --html-file cannot both be given.')
  const given = { html: file === undefined ? html : readText(String(file)), text }
  if (template !== undefined) {
    return { ...plain(given), templateId: await idOf(call.client(), nouns.templates!.find, String(template)) }
  }
  if (given.html !== undefined || text !== undefined) return plain(given)
  const piped = await readStdin(io)
  if (piped === '') throw usageFailure('Give the content with --text, --html, --html-file or --template, or by a pipe.')
  return { text: piped }
}

function needed(flag: string, values: Values): string {
  if (values[flag] === undefined) throw usageFailure(`--${flag} must be given.`)
  return String(values[flag])
}

function neededList(flag: string, values: Values): string[] {
  if (values[flag] === undefined) throw usageFailure(`--${flag} must be given.`)
  return values[flag] as string[]
}

/** Returns the values that are there. */
function plain(values: Record<string, unknown>): Partial<EmailToSend> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

/** Reads `k=v`, each of which may be given once. */
function pairsOf(flag: string, values: Values): Record<string, string> | undefined {
  if (values[flag] === undefined) return undefined
  const pairs = (values[flag] as string[]).map((text): [string, string] => {
    const at = text.indexOf('=')
    if (at < 1) throw usageFailure(`--${flag} must be name=value; it was "${text}".`)
    return [text.slice(0, at), text.slice(at + 1)]
  })
  return Object.fromEntries(pairs)
}

function attachmentOf(path: string) {
  return { filename: basename(path), content: new Uint8Array(readBytes(path)) }
}
