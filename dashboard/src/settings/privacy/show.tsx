import { useList } from '../../api/list.ts'
import { useMay, whoMay } from '../../session/me.ts'
import { Status } from '../../status/status.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Page } from '../../ui/frame/page.tsx'
import { Section } from '../../ui/frame/section.tsx'
import { Empty } from '../../ui/frame/states.tsx'
import { useAddress, useSelect } from '../../ui/go/address.ts'
import { Go } from '../../ui/go/go.tsx'
import { actionColumn, type Column } from '../../ui/table/columns.ts'
import { Table } from '../../ui/table/table.tsx'
import { Time } from '../../ui/text/time.tsx'
import { sentence } from '../../ui/text/words.ts'
import { Progress } from './progress.tsx'
import { looks, type PrivacyRequest } from './request.ts'
import { RequestForm } from './request-form.tsx'

/** Exports or erases a person. The address holds the request that is shown, so that its link shows it again. */
export default function Privacy() {
  const [{ request }] = useAddress()
  const select = useSelect()
  const mayAsk = useMay('POST /v1/privacy/requests')
  return (
    <Page title="Privacy" above={<Go to="/settings">Settings</Go>} isNarrow>
      {mayAsk ? (
        <>
          <RequestForm onBegun={(id) => select({ request: id })} />
          {request && <Progress key={request} id={request} />}
          <PastRequests />
        </>
      ) : (
        <p className="muted">{whoMay('POST /v1/privacy/requests')} export and erase persons.</p>
      )}
    </Page>
  )
}

const columns: Column<PrivacyRequest>[] = [
  { name: 'Request', width: '96px', narrow: 'first', cell: ({ type }) => sentence(type) },
  {
    ...{ name: 'Status', width: '2fr', narrow: 'second' },
    cell: ({ status }) => <Status of={looks[status]} label={sentence(status)} />,
  },
  { name: 'Begun', width: '132px', narrow: 'second-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
  actionColumn('Show', '64px', (request) => <Show {...request} />),
]

/** The exports and erasures of the team. The audit log says who asked for them. */
function PastRequests() {
  const list = useList('/v1/privacy/requests')
  return (
    <Section title="History" className="settings-part">
      <Table
        name="Privacy requests"
        list={list}
        columns={columns}
        empty={
          <Empty title="No requests yet">
            <p>Exports and erasures are listed here, without the person’s address.</p>
          </Empty>
        }
      />
    </Section>
  )
}

function Show({ id, createdAt }: PrivacyRequest) {
  const select = useSelect()
  const name = `Show what was asked for at ${new Date(createdAt).toLocaleString()}`
  return (
    <Button kind="quiet" aria-label={name} onClick={() => select({ request: id })}>
      Show
    </Button>
  )
}
