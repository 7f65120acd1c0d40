import { type Prefetch, prefetchList, useList } from '../api/list.ts'
import { remove } from '../api/request.ts'
import { admins } from '../api/roles.ts'
import { useHasRole, useMay, whoMay } from '../session/me.ts'
import { Status } from '../status/status.tsx'
import { DeleteButton } from '../ui/dialog/delete-button.tsx'
import { actionColumn, type Column } from '../ui/table/columns.ts'
import { ListPage } from '../ui/table/list-page.tsx'
import { Time } from '../ui/text/time.tsx'
import { CreateApiKey } from './create.tsx'
import { EditApiKey } from './edit.tsx'
import type { ApiKey } from './key.ts'

const columns: Column<ApiKey>[] = [
  { name: 'Name', width: '2fr', narrow: 'first', cell: ({ name }) => <span title={name}>{name}</span> },
  {
    name: 'Key',
    width: '144px',
    narrow: 'second',
    cell: ({ keyPrefix }) => <span className="mono">{keyPrefix}…</span>,
  },
  { name: 'Permission', width: 'minmax(104px, 1.6fr)', narrow: 'second-end', cell: permissionOf },
  { name: 'Mode', width: '40px', isExtra: true, cell: ({ mode }) => (mode === 'test' ? 'Test' : 'Live') },
  { name: 'Created by', width: '1fr', isExtra: true, cell: ({ createdBy }) => createdBy?.name ?? <Nothing /> },
  { name: 'Expires', width: '104px', isExtra: true, cell: Expiry },
  {
    name: 'Last used',
    width: '92px',
    isExtra: true,
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : <span className="muted">Never used</span>),
  },
]
const actions = actionColumn<ApiKey>('Actions', '124px', (row) => (
  <span className="row-actions">
    <EditApiKey apiKey={row} />
    <Revoke {...row} />
  </span>
))

export const prefetch: Prefetch = (client) => prefetchList(client, '/v1/api-keys')

export default function ApiKeys() {
  const list = useList('/v1/api-keys')
  const mayChange = useMay('POST /v1/api-keys')
  return (
    <ListPage
      title="API keys"
      actions={mayChange && <CreateApiKey />}
      notice={!mayChange && `${whoMay('POST /v1/api-keys')} create and revoke API keys.`}
      list={list}
      columns={mayChange ? [...columns, actions] : columns}
      none="No API keys yet"
    >
      <p>Programs send through Posthorn with an API key. A test key sends nothing out.</p>
    </ListPage>
  )
}

function permissionOf({ permission, domainName }: ApiKey) {
  const words = permission === 'full_access' ? 'Full access' : 'Sending access'
  if (domainName === null) return words
  return (
    <span title={`${words}, ${domainName}`}>
      {words}, <span className="muted">{domainName}</span>
    </span>
  )
}

function Expiry({ expiresAt }: ApiKey) {
  if (expiresAt === null) return <Nothing />
  if (new Date(expiresAt) < new Date()) return <Status of="expired" />
  return <Time at={expiresAt} />
}

function Nothing() {
  return <span className="muted">–</span>
}

function Revoke({ id, name, keyPrefix, permission }: ApiKey) {
  const isAdmin = useHasRole(admins)
  if (permission === 'full_access' && !isAdmin) return null
  return (
    <DeleteButton
      verb="Revoke"
      name={name}
      remove={() => remove('/v1/api-keys/:id', { id })}
      changes={['api-keys']}
      said={`${name} is revoked`}
    >
      <p>
        Requests with <span className="mono">{keyPrefix}…</span> are refused from now on. This cannot be undone.
      </p>
    </DeleteButton>
  )
}
