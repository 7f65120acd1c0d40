import { type Prefetch, prefetchList, useList } from '../api/list.ts'
import { remove } from '../api/request.ts'
import { useMay, whoMay } from '../session/me.ts'
import { DeleteButton } from '../ui/dialog/delete-button.tsx'
import { actionColumn, type Column } from '../ui/table/columns.ts'
import { ListPage } from '../ui/table/list-page.tsx'
import { Time } from '../ui/text/time.tsx'
import { CreateCredential } from './create.tsx'
import { type Credential, typeNames } from './credential.ts'

const columns: Column<Credential>[] = [
  { name: 'Name', width: '2fr', narrow: 'first', cell: ({ name }) => name },
  { name: 'Type', width: '120px', narrow: 'second', cell: ({ type }) => typeNames[type] },
  { name: 'Sent to', width: '3fr', cell: ({ allowedHosts }) => <Hosts hosts={allowedHosts} /> },
  { name: 'Created', width: '140px', narrow: 'second-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
]
const deletion = actionColumn<Credential>('Delete', '84px', (row) => <Delete {...row} />)

export const prefetch: Prefetch = (client) => prefetchList(client, '/v1/credentials')

/** The secrets that steps of workflows send with HTTP requests. */
export default function Credentials() {
  const list = useList('/v1/credentials')
  const mayWrite = useMay('POST /v1/credentials')
  return (
    <ListPage
      title="Credentials"
      actions={mayWrite && <CreateCredential />}
      list={list}
      columns={mayWrite ? [...columns, deletion] : columns}
      none="No credentials yet"
    >
      <p>
        A credential is a secret that workflows send with HTTP requests. It is stored encrypted and never shown again.
      </p>
      {!mayWrite && <p className="muted">{whoMay('POST /v1/credentials')} may create credentials.</p>}
    </ListPage>
  )
}

function Hosts({ hosts }: { hosts: string[] | undefined }) {
  if (!hosts) return <span className="muted">Every host</span>
  const text = hosts.join(', ')
  return (
    <span className="mono" title={text}>
      {text}
    </span>
  )
}

function Delete({ id, name }: Credential) {
  return (
    <DeleteButton
      name={name}
      remove={() => remove('/v1/credentials/:id', { id })}
      changes={['credentials']}
      said={`${name} is deleted`}
    >
      <p>Steps of workflows that send it fail from now on.</p>
    </DeleteButton>
  )
}
