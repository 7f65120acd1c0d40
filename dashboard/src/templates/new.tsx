import { useMay, whoMay } from '../session/me.ts'
import { WithKept } from '../typing/with-kept.tsx'
import { Page } from '../ui/frame/page.tsx'
import { Empty } from '../ui/frame/states.tsx'
import { useGoOn } from '../ui/go/use-go.ts'
import { Editor } from './editor.tsx'
import type { Template } from './template.ts'

export default function NewTemplate() {
  const go = useGoOn()
  if (useMay('POST /v1/templates')) {
    const show = ({ id }: Template) => go(`/templates/${id}`, { replace: true })
    return <WithKept page="templates/new">{(kept) => <Editor kept={kept} onSaved={show} />}</WithKept>
  }
  return (
    <Page title="New template">
      <Empty title="Not for your role">
        <p>{whoMay('POST /v1/templates')} write templates.</p>
      </Empty>
    </Page>
  )
}
