import { type PreviewRequest, previewsPath, usePreview } from '../api/preview.ts'
import { LiveFrame } from '../ui/preview/live-frame.tsx'
import { Fault } from '../ui/text/fault.tsx'
import { countOf } from '../ui/text/words.ts'

type Props = {
  request: PreviewRequest
  hasSubject?: boolean
  /** Nothing is written yet. What is added to every message, such as a link to unsubscribe, is not shown alone. */
  isEmpty?: boolean
}

/** The preview of content as it is written: its subject, HTML and text, and the variables that nothing fills in. */
export function ContentPreview({ request, hasSubject = true, isEmpty = false }: Props) {
  const { data, error, json } = usePreview(request)
  if (error) return <Fault error={error} />
  if (data === undefined) return <div className="preview preview-frame" />
  const { subject, html, text, unknown } = data
  return (
    <div className="section">
      {hasSubject && (
        <dl className="preview-subject">
          <dt className="small muted">Subject</dt>
          <dd>{subject || <span className="muted">No subject yet</span>}</dd>
        </dl>
      )}
      {html && !isEmpty ? (
        <LiveFrame action={previewsPath} field="preview" value={json} />
      ) : text && !isEmpty ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll only what has the focus
        <pre className="source preview-text" tabIndex={0}>
          {text}
        </pre>
      ) : (
        <p className="preview preview-none muted">What you write appears here.</p>
      )}
      {html && text && (
        <details>
          <summary>Text</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll only what has the focus */}
          <pre className="source preview-text" tabIndex={0}>
            {text}
          </pre>
        </details>
      )}
      {unknown.length > 0 && <Unknown names={unknown} />}
    </div>
  )
}

function Unknown({ names }: { names: string[] }) {
  const first = names.slice(0, 8).map((name) => `{{${name}}}`)
  return (
    <p className="warning">
      Nothing fills in {first.join(', ')}
      {names.length > first.length && ` and ${countOf(names.length - first.length, 'other')}`}.
    </p>
  )
}
