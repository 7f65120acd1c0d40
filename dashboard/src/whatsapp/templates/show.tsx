import { useQuery } from '@tanstack/react-query'
import type { Prefetch } from '../../api/list.ts'
import { post } from '../../api/request.ts'
import { useChange } from '../../api/use-one.ts'
import { useMay } from '../../session/me.ts'
import { Status } from '../../status/status.tsx'
import { Button } from '../../ui/button/button.tsx'
import { DeleteShown } from '../../ui/dialog/delete-shown.tsx'
import { Beside } from '../../ui/frame/beside.tsx'
import { Page } from '../../ui/frame/page.tsx'
import { RouteLine } from '../../ui/frame/route-line.tsx'
import { Fetch, titleWithout } from '../../ui/frame/states.tsx'
import { usePathPart } from '../../ui/go/address.ts'
import { Go } from '../../ui/go/go.tsx'
import { Fact, Facts, IdFact } from '../../ui/text/facts.tsx'
import { Fault } from '../../ui/text/fault.tsx'
import { sentence } from '../../ui/text/words.ts'
import { EditTemplate } from './edit.tsx'
import { Review } from './review.tsx'
import { approvalStations } from './stations.ts'
import { isEditable, type Template, templateOf } from './template.ts'

export const prefetch: Prefetch = (client, { params }) => client.prefetchQuery(templateOf(params.id!))

export default function ShowTemplate() {
  const id = usePathPart('id')
  const query = useQuery(templateOf(id))
  const mayChange = useMay('PATCH /v1/whatsapp/templates/:id')
  const submit = useChange(() => post('/v1/whatsapp/templates/:id/submit', { id }), 'whatsapp/templates')
  const template = query.data
  return (
    <Page
      title={template?.name ?? titleWithout(query.error, 'WhatsApp template')}
      above={<Go to="/whatsapp/templates">WhatsApp templates</Go>}
      actions={
        template &&
        mayChange && (
          <>
            <DeleteShown noun="whatsapp/templates" id={template.id} name={template.name}>
              Messages that were sent with it keep their text and its name.
            </DeleteShown>
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
          <Beside
            name="Approval"
            way={<RouteLine name="Approval" stations={approvalStations(one)} />}
            status={
              <>
                <Status of={one.status} />
                <span className="muted">{adviceOf(one)}</span>
              </>
            }
          >
            <Review template={one} />
            <p className="letter">{one.body}</p>
            {isEditable(one) && mayChange ? <EditTemplate key={one.id} template={one} /> : <About template={one} />}
          </Beside>
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
      <IdFact id={template.id} />
    </Facts>
  )
}
