import { useNavigate } from '@tanstack/react-router'
import { Page } from '../ui/page.tsx'
import { Empty } from '../ui/states.tsx'
import { Editor } from './editor.tsx'
import { useMayEditTemplates } from './template.ts'

export default function NewTemplate() {
  const navigate = useNavigate()
  if (useMayEditTemplates())
    return <Editor onSaved={({ id }) => void navigate({ to: `/templates/${id}`, replace: true } as never)} />
  return (
    <Page title="New template">
      <Empty title="Not for your role">
        <p>Owners, admins and marketers write templates.</p>
      </Empty>
    </Page>
  )
}
