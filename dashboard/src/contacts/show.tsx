import { textFields, textNames } from '../../../src/contacts/fields.ts'
import { changed } from '../api/client.ts'
import type { Prefetch } from '../api/list.ts'
import { patch } from '../api/request.ts'
import { oneOf, useOne } from '../api/use-one.ts'
import { type Contact, fullName } from '../audience/contact.ts'
import { useMay } from '../session/me.ts'
import { Status } from '../status/status.tsx'
import { ConfirmButton } from '../ui/dialog/confirm.tsx'
import { DeleteShown } from '../ui/dialog/delete-shown.tsx'
import { say } from '../ui/dialog/toast.tsx'
import { Page } from '../ui/frame/page.tsx'
import { Section } from '../ui/frame/section.tsx'
import { Fetch, titleWithout } from '../ui/frame/states.tsx'
import { usePathPart } from '../ui/go/address.ts'
import { Go } from '../ui/go/go.tsx'
import { Fact, Facts } from '../ui/text/facts.tsx'
import { Time } from '../ui/text/time.tsx'
import { EditContact } from './edit.tsx'
import { EmailsTo } from './emails.tsx'
import { Memberships } from './memberships.tsx'

export const prefetch: Prefetch = (client, { params }) =>
  client.prefetchQuery(oneOf('/v1/contacts/:id', { id: params.id! }))

export default function ShowContact() {
  const id = usePathPart('id')
  const query = useOne('/v1/contacts/:id', { id })
  const mayEdit = useMay('PATCH /v1/contacts/:id')
  return (
    <Page
      title={query.data?.email ?? titleWithout(query.error, 'Contact')}
      above={<Go to="/contacts">Contacts</Go>}
      isMono={query.data !== undefined}
      actions={mayEdit && query.data && <Actions contact={query.data} />}
    >
      <Fetch query={query}>
        {(contact) => (
          <>
            <ContactFacts contact={contact} />
            <Properties properties={contact.properties} />
            <Memberships contact={contact} mayEdit={mayEdit} />
            <EmailsTo address={contact.email} />
          </>
        )}
      </Fetch>
    </Page>
  )
}

function Actions({ contact }: { contact: Contact }) {
  const { id, email, unsubscribed } = contact
  async function set(value: boolean) {
    await patch('/v1/contacts/:id', { id, body: { unsubscribed: value } })
    changed('contacts')
    say(value ? `${email} is unsubscribed` : `${email} is subscribed again`)
  }
  return (
    <>
      <EditContact contact={contact} />
      {unsubscribed ? (
        <ConfirmButton
          name={`Resubscribe ${email}`}
          short="Resubscribe"
          verb="Resubscribe"
          onConfirm={() => set(false)}
        >
          <p>Do this only if this person asked for it. Broadcasts reach them again.</p>
        </ConfirmButton>
      ) : (
        <ConfirmButton name={`Unsubscribe ${email}`} short="Unsubscribe" verb="Unsubscribe" onConfirm={() => set(true)}>
          <p>Nothing more is sent to this address: it joins the suppressions.</p>
        </ConfirmButton>
      )}
      <DeleteShown noun="contacts" id={id} name={email}>
        The contact leaves its segments and topics. A blocked address stays blocked.
      </DeleteShown>
    </>
  )
}

function ContactFacts({ contact }: { contact: Contact }) {
  const { unsubscribed, createdAt, updatedAt } = contact
  return (
    <Facts>
      <Fact name="Status">
        <Status of={unsubscribed ? 'unsubscribed' : 'subscribed'} />
      </Fact>
      <Fact name="Name">{fullName(contact) || <None />}</Fact>
      {textNames
        .filter((name) => !textFields[name].isOfName)
        .map((name) => (
          <Fact key={name} name={textFields[name].title}>
            {contact[name] ? <span className="mono">{contact[name]}</span> : <None />}
          </Fact>
        ))}
      <Fact name="Added">
        <Time at={createdAt} isExact />
      </Fact>
      <Fact name="Changed">
        <Time at={updatedAt} isExact />
      </Fact>
    </Facts>
  )
}

function None() {
  return <span className="muted">None</span>
}

function Properties({ properties }: { properties: Contact['properties'] }) {
  const entries = Object.entries(properties)
  return (
    <Section title="Properties">
      {entries.length === 0 ? (
        <p className="muted">No properties.</p>
      ) : (
        <Facts>
          {entries.map(([name, value]) => (
            <Property key={name} name={name} value={value} />
          ))}
        </Facts>
      )}
    </Section>
  )
}

function Property({ name, value }: { name: string; value: unknown }) {
  return (
    <>
      <dt className="mono">{name}</dt>
      <dd>{typeof value === 'string' ? value : <code>{JSON.stringify(value)}</code>}</dd>
    </>
  )
}
