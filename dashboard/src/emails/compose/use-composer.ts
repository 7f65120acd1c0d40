import { useMemo, useState } from 'react'
import { changed } from '../../api/client.ts'
import { type OnceKey, useOnceKey } from '../../api/once-key.ts'
import { type Answer, post } from '../../api/request.ts'
import { variablesIn } from '../../templates/template.ts'
import { difference } from '../../typing/merge.ts'
import { useKeep } from '../../typing/use-keep.tsx'
import { withFields } from '../../typing/use-kept-form.ts'
import type { Kept } from '../../typing/with-kept.tsx'
import { say } from '../../ui/dialog/toast.tsx'
import { useForm } from '../../ui/form/form.tsx'
import { useAddress } from '../../ui/go/address.ts'
import { useGoOn } from '../../ui/go/use-go.ts'
import { type AttachedFile, type Composed, emailBody, emptyEmail } from './body.ts'
import { useTemplate } from './use-choices.ts'

/** The kept parts of an email. Its key prevents a second email if a reload loses the answer to the first. */
type KeptEmail = {
  values: Composed
  variables: Record<string, string>
  files: string[]
  key?: OnceKey
}

/** The state of an email that is written: its form, variables and files, kept in this browser until it is sent. */
export function useComposer(kept: Kept, isScheduling: boolean) {
  const [address] = useAddress()
  const found = kept.found?.value as Partial<KeptEmail> | undefined
  const [files, setFiles] = useState<AttachedFile[]>([])
  const [variables, setVariables] = useState<Record<string, string>>(found?.variables ?? {})
  const { key, headersFor } = useOnceKey(found?.key)
  const start = { ...emptyEmail, to: address.to ?? '', templateId: address.template ?? '' }
  const form = useForm(withFields(start, found?.values), () => send(undefined))
  const template = useTemplate(form.values.templateId)
  const content = contentOf(form.values, template)
  const isKnown = template !== undefined || form.values.templateId === ''
  const names = useNames(content, variables, isKnown)
  const value: KeptEmail = {
    ...{ values: form.values, variables },
    files: files.map(({ filename }) => filename),
    // The key names the whole email, which has megabytes with files.
    ...(files.length === 0 && { key: key.current }),
  }
  const isTyped = Object.keys(difference(form.values, start)).length > 0
  const isChanged = isTyped || files.length > 0 || Object.values(variables).some((value) => value !== '')
  const { keptNotice, saved } = useKeep(kept, { value, isChanged, isBusy: form.isBusy || isScheduling })
  const sendOnce = useSend(headersFor, saved)
  const send = async (scheduledAt: string | undefined): Promise<void> =>
    sendOnce(emailBody(form.values, filledOf(variables, names), files, scheduledAt))
  const schedule = (scheduledAt: string) =>
    send(scheduledAt).catch((error) => {
      form.setError(error)
      throw error
    })
  const lostFiles = found?.files ?? []
  return { form, content, names, variables, setVariables, files, setFiles, keptNotice, lostFiles, schedule }
}

/** Returns the written content, and the template’s content where nothing is written. */
function contentOf({ subject, html, text }: Composed, template: Answer<'/v1/templates/:id'> | undefined) {
  return {
    ...{ kind: 'email' as const, subject },
    html: html || template?.html || null,
    text: text || template?.text || null,
  }
}

/**
 * The names of the variables. Without an answer of the server, since what was filled in must not be missing from the
 * email. While the content of the template is not known, each variable that is filled in counts as one of its own.
 */
function useNames(
  { subject, html, text }: ReturnType<typeof contentOf>,
  variables: Record<string, string>,
  isKnown: boolean,
): string[] {
  const found = useMemo(() => variablesIn(subject, html ?? '', text ?? ''), [subject, html, text])
  if (isKnown) return found
  const filled = Object.keys(variables).filter((name) => variables[name] !== '')
  return [...new Set([...found, ...filled])]
}

const saidOf: Record<string, string> = {
  scheduled: 'The email is scheduled',
  delayed: 'The email waits, since the mail host is not there, and is sent later',
  bounced: 'The email was refused',
}

/** Sends an email once, however often it is tried, and shows it. */
function useSend(headersFor: (json: string) => Record<string, string>, saved: () => void) {
  const go = useGoOn()
  return async (body: ReturnType<typeof emailBody>) => {
    const headers = headersFor(JSON.stringify(body))
    const { id, status } = await post('/v1/emails', { body }, { headers })
    saved()
    changed('emails')
    say(saidOf[status] ?? 'The email is sent')
    await go(`/emails/${id}`)
  }
}

/** The filled-in ones of the variables that the content has. */
export function filledOf(variables: Record<string, string>, names: string[]): Record<string, string> {
  return Object.fromEntries(names.filter((name) => variables[name]).map((name) => [name, variables[name]!]))
}
