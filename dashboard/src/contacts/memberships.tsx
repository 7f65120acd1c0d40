import { useOptions } from '../api/all.ts'
import { changed } from '../api/client.ts'
import { post, remove } from '../api/request.ts'
import type { Contact } from '../audience/contact.ts'
import { ConfirmButton } from '../ui/dialog/confirm.tsx'
import { DialogButton } from '../ui/dialog/dialog.tsx'
import { say } from '../ui/dialog/toast.tsx'
import { type Option, Select } from '../ui/form/field.tsx'
import { Form, useForm } from '../ui/form/form.tsx'
import { NewestOnly } from '../ui/form/newest-only.tsx'
import { Section } from '../ui/frame/section.tsx'
import { Go } from '../ui/go/go.tsx'

type Kind = 'segment' | 'topic'

const words = {
  segment: {
    title: 'Segments',
    path: '/v1/segments',
    add: 'Add to segment',
    leave: 'Remove from',
    none: 'In no segment.',
  },
  topic: {
    title: 'Topics',
    path: '/v1/topics',
    add: 'Add to topic',
    leave: 'Opt out of',
    none: 'Opted in to no topic.',
  },
} as const

/** The segments and topics that a contact is in. */
export function Memberships({ contact, mayEdit }: { contact: Contact; mayEdit: boolean }) {
  const segments = contact.segments.map(({ segmentId, name }) => ({ id: segmentId, name }))
  const topics = contact.topics.map(({ topicId, name }) => ({ id: topicId, name }))
  return (
    <div className="contact-memberships">
      <InKind kind="segment" contact={contact} members={segments} mayEdit={mayEdit} />
      <InKind kind="topic" contact={contact} members={topics} mayEdit={mayEdit} />
    </div>
  )
}

type KindProps = { kind: Kind; contact: Contact; members: { id: string; name: string }[]; mayEdit: boolean }

function InKind({ kind, contact, members, mayEdit }: KindProps) {
  const { title, path, add, leave, none } = words[kind]
  return (
    <Section
      title={title}
      actions={
        mayEdit && (
          <DialogButton name={add}>
            {(close) => <AddForm kind={kind} contact={contact} members={members} onDone={close} />}
          </DialogButton>
        )
      }
    >
      {members.length === 0 && <p className="muted">{none}</p>}
      <ul className="contact-members">
        {members.map(({ id, name }) => (
          <li key={id}>
            <Go to={`/${kind}s/${id}`}>{name}</Go>
            {mayEdit && (
              <ConfirmButton
                name={`${leave} ${name}`}
                short={kind === 'segment' ? 'Remove' : 'Opt out'}
                verb={kind === 'segment' ? 'Remove' : 'Opt out'}
                kind="quiet"
                onConfirm={async () => {
                  await remove(`${path}/:id/contacts/:contactId`, { id, contactId: contact.id })
                  changed('contacts')
                  say(kind === 'segment' ? `Removed from ${name}` : `Opted out of ${name}`)
                }}
              >
                <p>{contact.email}</p>
              </ConfirmButton>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function AddForm({ kind, contact, members, onDone }: Omit<KindProps, 'mayEdit'> & { onDone: () => void }) {
  const { title } = words[kind]
  const names = (useOptions(`/v1/${kind}s`) ?? []).filter(({ value }) => !members.some(({ id }) => id === value))
  if (names.length === 0)
    return (
      <p>
        There is no other {kind}. Make one at <Go to={`/${kind}s`}>{title}</Go>.
      </p>
    )
  return <ChoiceForm {...{ kind, contact, names, onDone }} />
}

type ChoiceProps = { kind: Kind; contact: Contact; names: Option[]; onDone: () => void }

/** Begins with the first name as it opens. That choice stays where others add names meanwhile. */
function ChoiceForm({ kind, contact, names, onDone }: ChoiceProps) {
  const form = useForm({ chosen: names[0]!.value }, async ({ chosen }) => {
    await post(`${words[kind].path}/:id/contacts`, { id: chosen, body: { contactIds: [contact.id] } })
    changed('contacts')
    say(`Added to ${names.find(({ value }) => value === chosen)?.label}`)
    onDone()
  })
  return (
    <Form form={form} verb="Add">
      <Select
        label={kind === 'segment' ? 'Segment' : 'Topic'}
        options={names}
        {...form.field('chosen')}
        hint={kind === 'topic' ? 'Add people only to topics that they asked for.' : undefined}
      />
      <NewestOnly nouns={[`${kind}s`]} />
    </Form>
  )
}
