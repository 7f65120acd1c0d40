import { type ReactNode, useState } from 'react'
import { hrefOf } from '../api/request.ts'
import { Button } from '../ui/button/button.tsx'
import { Tabs } from '../ui/frame/tabs.tsx'
import { useMode } from '../ui/go/address.ts'
import { HtmlPreview } from '../ui/preview/html-preview.tsx'
import { LongText } from '../ui/text/long-text.tsx'
import { bytes, countOf } from '../ui/text/words.ts'
import type { Attachment } from './email.ts'

type Props = {
  noun: 'emails' | 'inbox'
  id: string
  html: string | null
  text: string | null
  headers: Record<string, string>
  attachments: Attachment[]
  /** The raw message, where it is kept. The HTML's source otherwise. */
  source?: () => ReactNode
}

/** The content of an email under tabs. */
export function Content({ noun, id, html, text, headers, attachments, source }: Props) {
  return (
    <Tabs
      name="Content"
      usual={html === null && text !== null ? 'text' : 'html'}
      tabs={[
        { id: 'html', name: 'HTML', panel: () => (html === null ? <None what="HTML" /> : <Html {...{ noun, id }} />) },
        { id: 'text', name: 'Text', panel: () => (text === null ? <None what="text" /> : <LongText text={text} />) },
        {
          id: 'source',
          name: 'Source',
          panel: source ?? (() => <LongText text={html ?? text ?? ''} isCode />),
        },
        { id: 'headers', name: 'Headers', panel: () => <Headers headers={headers} /> },
        {
          id: 'attachments',
          name: 'Attachments',
          count: attachments.length,
          panel: () => <Attachments {...{ noun, id }} list={attachments} />,
        },
      ]}
    />
  )
}

const widths = [
  { name: 'Phone', width: 375 },
  { name: 'Tablet', width: 768 },
  { name: 'Desktop', width: undefined },
]

type Of = Pick<Props, 'noun' | 'id'>

function Html({ noun, id }: Of) {
  const [device, setDevice] = useState('Desktop')
  const [hasRemote, setRemote] = useState(false)
  const mode = useMode()
  const width = widths.find(({ name }) => name === device)?.width
  return (
    <div className="section">
      <div className="preview-tools">
        <fieldset className="choice">
          <legend className="unseen">Width</legend>
          {widths.map(({ name }) => (
            <label key={name} className="choice-option">
              <input type="radio" name="width" checked={device === name} onChange={() => setDevice(name)} />
              {name}
            </label>
          ))}
        </fieldset>
        <Button aria-pressed={hasRemote} onClick={() => setRemote(!hasRemote)}>
          Load remote images
        </Button>
      </div>
      <HtmlPreview
        src={hrefOf(`/v1/${noun}/:id/preview`, { id, mode, images: hasRemote ? 'remote' : undefined })}
        width={width}
      />
    </div>
  )
}

function None({ what }: { what: string }) {
  return <p className="muted">This email has no {what}.</p>
}

function Headers({ headers }: { headers: Record<string, string> }) {
  const entries = Object.entries(headers)
  if (entries.length === 0) return <p className="muted">No further headers were set.</p>
  return (
    <dl className="headers">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="mono">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Attachments({ noun, id, list }: Of & { list: Attachment[] }) {
  const mode = useMode()
  if (list.length === 0) return <p className="muted">This email has no attachments.</p>
  return (
    <>
      <p className="unseen">{countOf(list.length, 'attachment')}</p>
      <ul aria-label="Attachments" className="attachments">
        {list.map(({ filename, contentType, size }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an attachment has no id; its place names it
          <li key={index}>
            <a
              href={hrefOf(`/v1/${noun}/:id/attachments/:n`, { id, n: `${index}`, mode })}
              download={filename ?? 'attachment'}
            >
              {filename ?? 'Without a name'}
            </a>
            <span className="small muted">
              {contentType} · {bytes(size)}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
