import { type ReactNode, useState } from 'react'
import { hrefOf } from '../api/request.ts'
import { Button } from '../ui/button/button.tsx'
import { Fetch, type Fetched } from '../ui/frame/states.tsx'
import { Tabs } from '../ui/frame/tabs.tsx'
import { useMode } from '../ui/go/address.ts'
import { HtmlPreview } from '../ui/preview/html-preview.tsx'
import { LongText } from '../ui/text/long-text.tsx'
import { bytes, countOf } from '../ui/text/words.ts'
import type { Attachment } from './email.ts'

type Parts = { headers: Record<string, string> | null; attachments: Attachment[] }

type Props = {
  noun: 'emails' | 'inbox'
  id: string
  html: string | null
  text: string | null
  parts: Fetched<Parts>
  /** The raw message, where it is kept. The HTML's source otherwise. */
  source?: () => ReactNode
}

/** The content of an email under tabs. */
export function Content({ noun, id, html, text, parts, source }: Props) {
  // Retention removes bodies and attachments of emails, and leaves the rest.
  const hasNoBody = noun === 'emails' && html === null && text === null
  const none = (what: string) => (
    <p className="muted">{hasNoBody ? 'The body was empty, or is no longer kept.' : `This email has no ${what}.`}</p>
  )
  return (
    <Tabs
      name="Content"
      usual={html === null && text !== null ? 'text' : 'html'}
      tabs={[
        { id: 'html', name: 'HTML', panel: () => (html === null ? none('HTML') : <Html {...{ noun, id }} />) },
        { id: 'text', name: 'Text', panel: () => (text === null ? none('text') : <LongText text={text} />) },
        {
          id: 'source',
          name: 'Source',
          panel: source ?? (() => (hasNoBody ? none('source') : <LongText text={html ?? text ?? ''} isCode />)),
        },
        {
          id: 'headers',
          name: 'Headers',
          panel: () => <Fetch query={parts}>{({ headers }) => <Headers headers={headers ?? {}} />}</Fetch>,
        },
        {
          id: 'attachments',
          name: 'Attachments',
          count: parts.data?.attachments.length ?? 0,
          panel: () => (
            <Fetch query={parts}>
              {({ attachments }) => <Attachments {...{ noun, id, hasNoBody }} list={attachments} />}
            </Fetch>
          ),
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

function Attachments({ noun, id, hasNoBody, list }: Of & { hasNoBody: boolean; list: Attachment[] }) {
  const mode = useMode()
  if (list.length === 0)
    return <p className="muted">This email has no attachments{hasNoBody && ', or they are no longer kept'}.</p>
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
