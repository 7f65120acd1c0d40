import { useState } from 'react'
import { fillPlaceholders, whatsappBodyMax } from '../../../src/whatsapp/templates/placeholders.ts'
import { useAll } from '../api/all.ts'
import { changed } from '../api/client.ts'
import { type OnceKey, useOnceKey } from '../api/once-key.ts'
import { faultAt } from '../api/refusal.ts'
import { post } from '../api/request.ts'
import { difference } from '../typing/merge.ts'
import { useKeep } from '../typing/use-keep.tsx'
import { withFields } from '../typing/use-kept-form.ts'
import { type Kept, WithKept } from '../typing/with-kept.tsx'
import { DialogButton } from '../ui/dialog/dialog.tsx'
import { say } from '../ui/dialog/toast.tsx'
import { Field, Select } from '../ui/form/field.tsx'
import { Form, useForm } from '../ui/form/form.tsx'
import { Loading } from '../ui/frame/states.tsx'
import { Go } from '../ui/go/go.tsx'
import { useGoOn } from '../ui/go/use-go.ts'
import type { WhatsappSender } from './senders/sender.ts'
import type { Template } from './templates/template.ts'

type Props = {
  kind?: 'plain' | 'main'
  /** The conversation that the template goes to. Left out: both are asked for. */
  senderId?: string
  to?: string
}

export function SendTemplate({ kind = 'plain', senderId, to }: Props) {
  return (
    <DialogButton name="Send a template" kind={kind}>
      {(close) => (
        <WithKept page={`whatsapp/send/${[senderId, to].filter(Boolean).join('/') || 'new'}`}>
          {(kept) => <SendDialog {...{ senderId, to, kept }} onDone={close} />}
        </WithKept>
      )}
    </DialogButton>
  )
}

type Target = { senderId: string | undefined; to: string | undefined; kept: Kept; onDone: () => void }

function SendDialog(target: Target) {
  const senders = useAll('/v1/whatsapp/senders')?.filter(({ status }) => status === 'active')
  const templates = useAll('/v1/whatsapp/templates')?.filter(({ status }) => status === 'approved')
  if (senders === undefined || templates === undefined) return <Loading lines={4} />
  if (senders.length === 0)
    return (
      <p>
        No sender is active yet. <Go to="/whatsapp/senders">Add and verify a WhatsApp sender</Go> first.
      </p>
    )
  if (templates.length === 0)
    return (
      <p>
        No template is approved yet. <Go to="/whatsapp/templates">Create and submit a WhatsApp template</Go> first.
      </p>
    )
  return <SendForm {...target} senders={senders} templates={templates} />
}

type Choices = { senders: WhatsappSender[]; templates: Template[] }

function SendForm({ senders, templates, ...target }: Target & Choices) {
  const { form, keptNotice, chosen, variables, setVariable } = useSending(target, { senders, templates })
  return (
    <Form form={{ ...form, keptNotice }} verb="Send">
      {target.to === undefined && (
        <>
          <Select
            label="Sender"
            options={senders.map(({ id, name, phoneNumber }) => ({ value: id, label: `${name} (${phoneNumber})` }))}
            {...form.field('senderId')}
          />
          <Field label="To" type="tel" hint="With the country code, such as +447700900123." {...form.field('to')} />
        </>
      )}
      <Select
        label="Template"
        options={templates.map(({ id, name, language }) => ({ value: id, label: `${name} (${language})` }))}
        {...form.field('templateId')}
      />
      {variables.map((value, index) => (
        <Field
          // biome-ignore lint/suspicious/noArrayIndexKey: variables are known by their place
          key={index}
          label={`Variable ${index + 1}`}
          maxLength={whatsappBodyMax}
          value={value}
          fault={faultAt(form.error, `variables[${index}]`)}
          onChange={({ target: { value: typed } }) => setVariable(index, typed)}
        />
      ))}
      {chosen && (
        <p className="letter" aria-label="Preview" role="note">
          {fillPlaceholders(
            chosen.body,
            variables.map((value) => value || undefined),
          )}
        </p>
      )}
    </Form>
  )
}

/** The form of a message, and the variables of the chosen template, kept in this browser until it is sent. */
function useSending({ senderId, to, kept, onDone }: Target, { senders, templates }: Choices) {
  const go = useGoOn()
  const found = kept.found?.value as { values?: unknown; variables?: string[]; key?: OnceKey } | undefined
  const { key, headersFor } = useOnceKey(found?.key)
  const [typed, setTyped] = useState<string[]>(found?.variables ?? [])
  const initial = { senderId: senderId ?? senders[0]!.id, to: to ?? '', templateId: templates[0]!.id }
  // The conversation's own, whatever was kept: it must not leave from another sender.
  const given = { ...(senderId !== undefined && { senderId }), ...(to !== undefined && { to }) }
  const form = useForm({ ...withFields(initial, found?.values), ...given }, async (values) => {
    const message = { ...values, to: values.to.replace(/[\s()-]/g, ''), variables }
    const headers = headersFor(JSON.stringify(message))
    const { conversationId } = await post('/v1/whatsapp/messages', { body: message }, { headers })
    saved()
    changed('whatsapp/conversations', 'whatsapp/messages')
    say('The template is on its way')
    onDone()
    if (to === undefined) await go(`/whatsapp/conversations/${conversationId}`)
  })
  const chosen = templates.find(({ id }) => id === form.values.templateId)
  const variables = Array.from({ length: chosen?.variableCount ?? 0 }, (_, index) => typed[index] ?? '')
  const isTyped = Object.keys(difference(form.values, initial)).length > 0 || typed.some((value) => value)
  // The key of a request whose answer was lost is kept also where nothing had to be typed.
  const isChanged = isTyped || key.current.of !== ''
  const value = { values: form.values, variables: typed, key: key.current }
  const state = { value, isChanged, isBusy: form.isBusy }
  const { keptNotice, saved } = useKeep(kept, state)
  function setVariable(index: number, value: string) {
    setTyped((before) => Object.assign([...before], { [index]: value }) as string[])
    form.dropFaults(`variables[${index}]`)
  }
  return { form, keptNotice, chosen, variables, setVariable }
}
