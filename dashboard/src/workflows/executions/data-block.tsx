import { useMemo } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { CopyButton } from '../../ui/button/copy.tsx'
import { saveFile } from '../../ui/button/save-file.ts'
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
          <Button icon="download" onClick={() => saveFile(text, `${name.toLowerCase()}.json`)}>
            Download all of it ({bytes(text.length)})
          </Button>
        </p>
      )}
    </section>
  )
}
