import type { ReactNode } from 'react'
import { applyHint, changed } from '../api/client.ts'
import { useList } from '../api/list.ts'
import { hrefOf, patch, remove } from '../api/request.ts'
import { useMay } from '../session/me.ts'
import { DownloadLink } from '../ui/button/download.tsx'
import { ConfirmButton } from '../ui/dialog/confirm.tsx'
import { DeleteShown } from '../ui/dialog/delete-shown.tsx'
import { DialogButton } from '../ui/dialog/dialog.tsx'
import { say } from '../ui/dialog/toast.tsx'
import { Page } from '../ui/frame/page.tsx'
import { Empty } from '../ui/frame/states.tsx'
import { useAddress } from '../ui/go/address.ts'
import { Go } from '../ui/go/go.tsx'
import { NoMatch } from '../ui/table/no-match.tsx'
import { ListSearch, ListTools } from '../ui/table/tools.tsx'
import { AddContacts } from './add-contacts.tsx'
import type { Contact } from './contact.ts'
import { ContactsTable } from './contacts-table.tsx'
import { NameForm } from './name-form.tsx'

/** The differences between segments and topics. */
export type Kind = {
  /** The name of the list, such as *Segments*. */
  title: string
  noun: 'segments' | 'topics'
  filter: 'segmentId' | 'topicId'
  /** Taking a contact out, such as *Remove*, and what it means. */
  leave: string
  leaveMeans: string
  deleteMeans: string
  addHint?: string
  empty: ReactNode
}

type Group = { id: string; name: string }

/** A segment or a topic: its contacts, its name and its end. */
export function GroupPage({ kind, group, total }: { kind: Kind; group: Group; total: string }) {
  const { title, noun, filter, empty } = kind
  const [address] = useAddress()
  const mayEdit = useMay(`PATCH /v1/${kind.noun}/:id`)
  const filters = { search: address.search, [filter]: group.id }
  const list = useList('/v1/contacts', filters)
  return (
    <Page
      title={group.name}
      above={<Go to={`/${noun}`}>{title}</Go>}
      actions={
        <>
          <DownloadLink href={hrefOf('/v1/contacts/export', filters)}>Export</DownloadLink>
          {mayEdit && <Changes kind={kind} group={group} />}
        </>
      }
    >
      <ListTools total={total}>
        <ListSearch name="Search contacts" />
      </ListTools>
      <ContactsTable
        list={list}
        empty={address.search ? <NoMatch title="No contact matches" /> : <Empty title="No contacts yet">{empty}</Empty>}
        {...(mayEdit && { action: (contact: Contact) => <Leave {...{ kind, group, contact }} /> })}
      />
    </Page>
  )
}

type ChangesProps = { kind: Kind; group: Group }

function Changes({ kind, group }: ChangesProps) {
  return (
    <>
      <DialogButton name="Rename">
        {(close) => (
          <NameForm
            name={group.name}
            verb="Save"
            onSubmit={async (name) => {
              await patch(`/v1/${kind.noun}/:id`, { id: group.id, body: { name } })
              changed(kind.noun, 'contacts')
              say('Saved')
              close()
            }}
          />
        )}
      </DialogButton>
      <DeleteShown noun={kind.noun} id={group.id} name={group.name} also={['contacts']}>
        {kind.deleteMeans}
      </DeleteShown>
      <AddContacts noun={kind.noun} id={group.id} name={group.name} {...(kind.addHint && { hint: kind.addHint })} />
    </>
  )
}

function Leave({ kind, group, contact }: ChangesProps & { contact: Contact }) {
  return (
    <ConfirmButton
      name={`${kind.leave} ${contact.email}`}
      icon="close"
      verb={kind.leave}
      kind="quiet"
      onConfirm={async () => {
        await remove(`/v1/${kind.noun}/:id/contacts/:contactId`, { id: group.id, contactId: contact.id })
        // With the ids, so that the page of the list that holds the contact is fetched again.
        applyHint({ contacts: [contact.id], [kind.noun]: [group.id] })
        say(`${contact.email} has left ${group.name}`)
      }}
    >
      <p>{kind.leaveMeans}</p>
    </ConfirmButton>
  )
}
