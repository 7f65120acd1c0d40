import { suppressionReasons } from '../../../src/suppressions/table.ts'
import { changed } from '../api/client.ts'
import { type Prefetch, prefetchList, useList } from '../api/list.ts'
import { hrefOf, post, type RowOf, remove } from '../api/request.ts'
import { useMay } from '../session/me.ts'
import { DownloadLink } from '../ui/button/download.tsx'
import { DeleteButton } from '../ui/dialog/delete-button.tsx'
import { DialogButton } from '../ui/dialog/dialog.tsx'
import { say } from '../ui/dialog/toast.tsx'
import { LineForm } from '../ui/form/line-form.tsx'
import { Page } from '../ui/frame/page.tsx'
import { Empty } from '../ui/frame/states.tsx'
import { useAddress } from '../ui/go/address.ts'
import { actionColumn, type Column } from '../ui/table/columns.ts'
import { NoMatch } from '../ui/table/no-match.tsx'
import { Table } from '../ui/table/table.tsx'
import { ListFilter, ListSearch, ListTools } from '../ui/table/tools.tsx'
import { isErased, KeptAddress, nameOfKept } from '../ui/text/erased.tsx'
import { Time } from '../ui/text/time.tsx'
import { sentence } from '../ui/text/words.ts'

type Suppression = RowOf<'/v1/suppressions'>

const columns: Column<Suppression>[] = [
  {
    name: 'Address',
    width: '3fr',
    narrow: 'first',
    cell: ({ email }) => <KeptAddress address={email} noun="address" />,
  },
  {
    name: 'Reason',
    width: '1fr',
    narrow: 'second',
    cell: ({ email, reason }) => (isErased(email) ? 'Person was erased' : sentence(reason)),
  },
  { name: 'Since', width: '140px', narrow: 'second-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
]
const removing = actionColumn<Suppression>('Remove', '84px', (row) => <Remove {...row} />)

/** The filters of the address, as the API takes them. */
function filtersOf({ search, reason }: Record<string, string | undefined>) {
  return { search, reason }
}

export const prefetch: Prefetch = (client, { search }) => prefetchList(client, '/v1/suppressions', filtersOf(search))

export default function Suppressions() {
  const [address] = useAddress()
  const list = useList('/v1/suppressions', filtersOf(address))
  const isFiltered = Boolean(address.search || address.reason)
  const mayEdit = useMay('POST /v1/suppressions')
  return (
    <Page
      title="Suppressions"
      actions={
        <>
          <DownloadLink href={hrefOf('/v1/suppressions/export', filtersOf(address))}>Export</DownloadLink>
          {mayEdit && <Add />}
        </>
      }
    >
      <ListTools>
        <ListSearch name="Search suppressions" />
        <ListFilter
          name="Reason"
          parameter="reason"
          all="Any reason"
          options={suppressionReasons.map((value) => ({ value, label: sentence(value) }))}
        />
      </ListTools>
      <Table
        name="Suppressions"
        list={list}
        columns={mayEdit ? [...columns, removing] : columns}
        empty={
          isFiltered ? (
            <NoMatch title="No suppression matches" />
          ) : (
            <Empty title="No suppressions yet">
              <p>Addresses that bounced, complained or unsubscribed are listed here. They get no more email.</p>
            </Empty>
          )
        }
      />
    </Page>
  )
}

function Add() {
  return (
    <DialogButton name="Add suppression" kind="main">
      {(close) => (
        <LineForm
          label="Email"
          name="email"
          type="email"
          hint="This address gets no more email."
          verb="Add"
          onSubmit={async (email) => {
            await post('/v1/suppressions', { body: { email } })
            changed('suppressions')
            say(`${email} gets no more email`)
            close()
          }}
        />
      )}
    </DialogButton>
  )
}

function Remove({ id, email }: Suppression) {
  const name = nameOfKept(email, 'address')
  return (
    <DeleteButton
      verb="Remove"
      name={name}
      remove={() => remove('/v1/suppressions/:id', { id })}
      changes={['suppressions']}
      said={isErased(email) ? 'The address can get email again' : `${email} can get email again`}
    >
      {isErased(email) && <p>Posthorn has erased the person with this address. It knows the address only by a hash.</p>}
      <p>Posthorn sends to this address again. Remove it only if its owner asked for email.</p>
    </DeleteButton>
  )
}
