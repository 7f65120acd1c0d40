import { useMemo } from 'react'
import { CopyButton } from '../../ui/button/copy.tsx'
import { Icon } from '../../ui/icon.tsx'
import { bytes } from '../../ui/text/words.ts'

/** More than this is downloaded, since it would make the page slow. */
const shownMax = 50_000

/** Data of a step as JSON, and the whole of it as a download where it is long. */
export function DataBlock({ name, value }: { name: string; value: unknown }) {
  const text = useMemo(() => (value === undefined ? '' : JSON.stringify(value, null, 2)), [value])
  if (value === undefined || value === null) {
    return (
      <section aria-label={name} className="section">
        <h3>{name}</h3>
        <p className="muted">None</p>
      </section>
    )
  }
  const isLong = text.length > shownMax
  return (
    <section aria-label={name} className="section">
      <div className="editor-head">
        <h3>{name}</h3>
        <CopyButton text={text} name={`Copy ${name.toLowerCase()}`} isSmall />
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long data is scrolled by keyboard
        tabIndex={0}
        className="source"
      >
        {isLong ? text.slice(0, shownMax) : text}
      </pre>
      {isLong && (
        <p>
          <button
            type="button"
            className="button button-plain"
            onClick={() => save(`${name.toLowerCase()}.json`, text)}
          >
            <Icon name="download" />
            Download all of it ({bytes(text.length)})
          </button>
        </p>
      )}
    </section>
  )
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
