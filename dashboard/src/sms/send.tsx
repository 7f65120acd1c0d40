import { useState } from 'react'
import { measureText, smsBodyMax } from '../../../src/sms/messages/accept/segments.ts'
import { useAll } from '../api/all.ts'
import { changed } from '../api/client.ts'
import { post } from '../api/request.ts'
import { useKeptForm } from '../typing/use-kept-form.ts'
import { type Kept, WithKept } from '../typing/with-kept.tsx'
import { DialogButton } from '../ui/dialog/dialog.tsx'
import { say } from '../ui/dialog/toast.tsx'
import { Field, Select, TextArea } from '../ui/form/field.tsx'
import { Form } from '../ui/form/form.tsx'
import { Loading } from '../ui/frame/states.tsx'
import { Go } from '../ui/go/go.tsx'
import { useGoOn } from '../ui/go/use-go.ts'
import { countOf, dollars } from '../ui/text/words.ts'
import { centsTo } from './price.ts'
import { messageTypes, type Sender } from './senders/sender.ts'

export function SendSms() {
  return (
    <DialogButton name="Send SMS" kind="main">
      {() => <WithKept page="sms/send">{(kept) => <SendDialog kept={kept} />}</WithKept>}
    </DialogButton>
  )
}

function SendDialog({ kept }: { kept: Kept }) {
  const senders = useAll('/v1/sms/senders')
  if (senders === undefined) return <Loading lines={4} />
  const active = senders.filter(({ status }) => status === 'active')
  if (active.length > 0) return <SendForm senders={active} kept={kept} />
  return (
    <p>
      No sender is active yet. <Go to="/sms/senders">Add and verify an SMS sender</Go> first.
    </p>
  )
}

function SendForm({ senders, kept }: { senders: Sender[]; kept: Kept }) {
  const go = useGoOn()
  // The draft keeps its sender, also where the person took the one that was the newest then.
  const [senderId] = useState(senders[0]!.id)
  const form = useKeptForm(
    kept,
    { senderId, to: '', body: '', messageType: '' },
    async (values, headersFor) => {
      const { senderId, to, body, messageType } = values
      const message = { senderId, to: to.replace(/[\s()-]/g, ''), body, ...(messageType && { messageType }) }
      const { id } = await post('/v1/sms', { body: message }, { headers: headersFor(JSON.stringify(message)) })
      changed('sms')
      say('The SMS is on its way')
      await go(`/sms/${id}`)
    },
    {},
    { senderId },
  )
  const sender = senders.find(({ id }) => id === form.values.senderId)
  return (
    <Form form={form} verb="Send">
      <Select
        label="Sender"
        options={senders.map(({ id, name, senderId }) => ({ value: id, label: `${name} (${senderId})` }))}
        {...form.field('senderId')}
      />
      <Field label="To" type="tel" hint="With the country code, such as +61491570156." {...form.field('to')} />
      <TextArea label="Message" rows={5} maxLength={smsBodyMax} {...form.field('body')} />
      <Cost to={form.values.to.replace(/[\s()-]/g, '')} body={form.values.body} />
      <Select
        label="Message type"
        options={[
          { value: '', label: sender ? `As the sender: ${sender.defaultMessageType}` : 'As the sender' },
          ...messageTypes.filter(
            ({ value }) => value !== 'promotional' || sender?.defaultMessageType === 'promotional',
          ),
        ]}
        {...form.field('messageType')}
      />
    </Form>
  )
}

/** The segments and the price of what is typed. */
function Cost({ to, body }: { to: string; body: string }) {
  const { segments, used, max, foreign } = measureText(body)
  const cents = centsTo(to)
  const isUnfinished = !/^\+\d{7,}$/.test(to)
  return (
    <div className="cost">
      <p className="cost-line">
        <span>{countOf(segments, 'segment')}</span>
        <span className="muted">
          {used} of {max} characters
        </span>
        {cents !== null ? (
          <strong className="cost-price">{dollars(cents / 100)}</strong>
        ) : (
          <span className="cost-price muted">
            {isUnfinished ? 'Price by country' : 'No price: this country is not served'}
          </span>
        )}
      </p>
      {foreign !== null && (
        <p className="small muted">
          “{foreign}” is not in the alphabet of SMS: a segment holds 70 characters in place of 160.
        </p>
      )}
    </div>
  )
}
