import type { ReactNode } from 'react'
import { emailStatuses } from '../../../src/emails/messages/statuses.ts'
import { useOptions } from '../api/all.ts'
import { type Prefetch, prefetchList, useList } from '../api/list.ts'
import { modeOf } from '../api/mode.ts'
import { useMay } from '../session/me.ts'
import { Status } from '../status/status.tsx'
import { ButtonLink } from '../ui/button/button.tsx'
import { startOfDay } from '../ui/form/local-time.ts'
import { Page } from '../ui/frame/page.tsx'
import { Empty } from '../ui/frame/states.tsx'
import { TestDataLink, TestDataNotice } from '../ui/frame/test-data.tsx'
import { type Address, useAddress } from '../ui/go/address.ts'
import type { Column } from '../ui/table/columns.ts'
import { NoMatch } from '../ui/table/no-match.tsx'
import { StatusFilter } from '../ui/table/status-filter.tsx'
import { Table } from '../ui/table/table.tsx'
import { ListDay, ListFilter, ListSearch, ListTools, MoreFilters } from '../ui/table/tools.tsx'
import { Time } from '../ui/text/time.tsx'
import { countOf, mailbox, subjectOf } from '../ui/text/words.ts'
import type { EmailItem } from './email.ts'

const columns: Column<EmailItem>[] = [
  { name: 'Subject', width: '3fr', narrow: 'first', cell: subjectOf },
  { name: 'To', width: '2fr', narrow: 'second', cell: ({ to }) => <To to={to} /> },
  { name: 'Status', width: '116px', narrow: 'second-end', cell: ({ status }) => <Status of={status} /> },
  {
    name: 'Domain',
    width: '1fr',
    isExtra: true,
    cell: ({ domainName }) => <span className="muted">{domainName}</span>,
  },
  { name: 'Time', width: '128px', narrow: 'first-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/**
 * The filters of the address, as the API takes them. A whole address finds the emails to it, too. Days are the
 * reader's.
 */
function filtersOf({ search, status, domainId, from, until }: Address) {
  return { find: search, status, domainId, from: startOfDay(from), until: startOfDay(until, 1) }
}

export const prefetch: Prefetch = (client, { search }) =>
  prefetchList(client, '/v1/emails', { ...filtersOf(search), mode: modeOf(search) })

export default function Emails() {
  const [address] = useAddress()
  const filters = filtersOf(address)
  const mode = modeOf(address)
  const list = useList('/v1/emails', { ...filters, mode })
  // What is composed here is live.
  const mayCompose = useMay('POST /v1/emails') && mode === undefined
  const compose = mayCompose && (
    <ButtonLink to="/emails/new" kind="main">
      Compose
    </ButtonLink>
  )
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  return (
    <Page
      title="Emails"
      actions={
        <>
          <TestDataLink noun="emails" paths={['/v1/emails']} />
          {(isFiltered || list.rows?.length !== 0) && compose}
        </>
      }
    >
      <TestDataNotice />
      <Tools total={list.total} />
      <Table
        name="Emails"
        list={list}
        columns={columns}
        to={({ id }) => `/emails/${id}`}
        search={{ mode }}
        empty={isFiltered ? <NoMatch title="No email matches" /> : <Nothing>{compose}</Nothing>}
      />
    </Page>
  )
}

function Tools({ total }: { total: number | undefined }) {
  return (
    <ListTools total={total === undefined ? undefined : countOf(total, 'email')}>
      <ListSearch name="Search emails" hint="Subject, sender or recipient’s address" />
      <StatusFilter statuses={emailStatuses} />
      <ListFilter name="Domain" parameter="domainId" all="Any domain" options={useOptions('/v1/domains')} />
      <MoreFilters parameters={['from', 'until']}>
        <ListDay name="From" parameter="from" />
        <ListDay name="Until" parameter="until" />
      </MoreFilters>
    </ListTools>
  )
}

function Nothing({ children }: { children: ReactNode }) {
  return (
    <Empty title="No emails yet">
      <p>Emails that are sent by the API, SMTP, a broadcast or a workflow are listed here with what became of them.</p>
      {children}
    </Empty>
  )
}

function To({ to }: { to: string[] }) {
  const [first = '', ...others] = to
  return (
    <span className="email-to" title={to.join(', ')}>
      <span className="mono">{mailbox(first).address}</span>
      {others.length > 0 && <span className="muted"> and {countOf(others.length, 'other')}</span>}
    </span>
  )
}
