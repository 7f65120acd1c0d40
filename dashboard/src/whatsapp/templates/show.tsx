import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { post } from '../../api/call.ts'
import { changed, removeShown } from '../../api/client.ts'
import { useChange } from '../../api/use-one.ts'
import { useHasRole } from '../../session/me.ts'
import { marketerRoles } from '../../sms/roles.ts'
import { usePathPart } from '../../ui/address.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Fault } from '../../ui/fault.tsx'
import { Go } from '../../ui/go.tsx'
import { Page } from '../../ui/page.tsx'
import { RouteLine } from '../../ui/route-line.tsx'
import { Fetch, titleWithout } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { say } from '../../ui/toast.tsx'
import { sentence } from '../../ui/words.ts'
import { EditTemplate } from './edit.tsx'
import { approvalStations } from './stations.ts'
import { isEditable, type Template, templateOf, templatesPath } from './template.ts'

export function prefetch(client: QueryClient, { params }: { params: Record<string, string> }) {
  void client.prefetchQuery(templateOf(params.id!))
}

export default function ShowTemplate() {
  const id = usePathPart('id')
  const query = useQuery(templateOf(id))
  const mayChange = useHasRole(...marketerRoles)
  const submit = useChange(() => post<Template>(`${templatesPath}/${id}/submit`), 'whatsapp/templates')
  const template = query.data
  return (
    <Page
      title={template?.name ?? titleWithout(query.error, 'WhatsApp template')}
      above={<Go to="/whatsapp/templates">WhatsApp templates</Go>}
      actions={
        template &&
        mayChange && (
          <>
            <Delete template={template} />
            {isEditable(template) && (
              <Button kind="main" isBusy={submit.isPending} onClick={() => submit.mutate(undefined)}>
                Submit
              </Button>
            )}
          </>
        )
      }
    >
      <Fault error={submit.error} />
      <Fetch query={query}>
        {(one) => (
          <div className="beside">
            <section className="section beside-aside" aria-labelledby="approval">
              <h2 id="approval">Approval</h2>
              <RouteLine name="Approval" stations={approvalStations(one)} />
            </section>
            <div className="beside-main">
              <div className="beside-status">
                <Status of={one.status} />
                <span className="muted">{adviceOf(one)}</span>
              </div>
              <p className="letter">{one.body}</p>
              {isEditable(one) && mayChange ? <EditTemplate key={one.id} template={one} /> : <About template={one} />}
            </div>
          </div>
        )}
      </Fetch>
    </Page>
  )
}

function adviceOf({ status }: Template): string {
  if (status === 'approved') return 'It can be sent. An approved template does not change.'
  if (status === 'submitted') return 'It can be sent once WhatsApp has approved it.'
  if (status === 'rejected') return 'Edit it and submit it again.'
  return status === 'draft' ? 'Submit it for review before sending it.' : 'It cannot be sent.'
}

function About({ template }: { template: Template }) {
  const { category, language, variableCount, components } = template
  return (
    <Facts>
      <Fact name="Category">{sentence(category)}</Fact>
      <Fact name="Language">{language}</Fact>
      <Fact name="Variables">{variableCount}</Fact>
      {components && (
        <Fact name="Components">
          <pre>{JSON.stringify(components, null, 2)}</pre>
        </Fact>
      )}
      <Fact name="ID">
        <code>{template.id}</code>
      </Fact>
    </Facts>
  )
}

function Delete({ template: { id, name } }: { template: Template }) {
  const navigate = useNavigate()
  return (
    <ConfirmButton
      name={`Delete ${name}`}
      short="Delete"
      verb="Delete"
      kind="danger"
      onConfirm={async () => {
        await removeShown(templatesPath, id)
        await navigate({ to: '/whatsapp/templates' as never })
        changed('whatsapp/templates')
        say(`${name} is deleted`)
      }}
    >
      <p>Messages that were sent with it keep their text and its name.</p>
    </ConfirmButton>
  )
}
