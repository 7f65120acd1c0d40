import { useQuery } from '@tanstack/react-query'
import type { Prefetch } from '../../api/list.ts'
import { useMay } from '../../session/me.ts'
import { WithKept } from '../../typing/with-kept.tsx'
import { PendingPage } from '../../ui/frame/pending-page.tsx'
import { usePathPart } from '../../ui/go/address.ts'
import { Go } from '../../ui/go/go.tsx'
import { Fact, Facts, IdFact } from '../../ui/text/facts.tsx'
import { sentence } from '../../ui/text/words.ts'
import { EditTemplate } from './edit.tsx'
import { isEditable, type Template, templateOf } from './template.ts'
import { DeleteTemplate, TemplatePage } from './template-page.tsx'

export const prefetch: Prefetch = (client, { params }) => client.prefetchQuery(templateOf(params.id!))

export default function ShowTemplate() {
  const query = useQuery(templateOf(usePathPart('id')))
  const mayChange = useMay('PATCH /v1/whatsapp/templates/:id')
  const template = query.data
  if (!template) {
    return (
      <PendingPage
        title="WhatsApp template"
        query={query}
        above={<Go to="/whatsapp/templates">WhatsApp templates</Go>}
      />
    )
  }
  if (mayChange && isEditable(template)) {
    return (
      <WithKept page={`whatsapp/templates/${template.id}`}>
        {(kept) => <EditTemplate template={template} kept={kept} />}
      </WithKept>
    )
  }
  return (
    <TemplatePage template={template} actions={mayChange && <DeleteTemplate template={template} />}>
      <About template={template} />
    </TemplatePage>
  )
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
