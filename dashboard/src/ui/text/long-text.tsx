import { Button } from '../button/button.tsx'
import { saveFile } from '../button/save-file.ts'

/** More would make the page slow; the rest is in the download. */
const shownMax = 50_000

type Props = {
  text: string
  isCode?: boolean
  /** The name of the file to download. */
  filename?: string
}

/** A text as it is. Of a long one the first 50 kB are shown, and a download has the rest. */
export function LongText({ text, isCode, filename = 'text.txt' }: Props) {
  const isLong = text.length > shownMax
  return (
    <div className="section">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keyboard */}
      <pre className={`source ${isCode ? '' : 'source-plain'}`} tabIndex={0}>
        {isLong ? text.slice(0, shownMax) : text}
      </pre>
      {isLong && (
        <div className="actions">
          <span className="muted">The first 50 kB are shown.</span>
          <Button icon="download" onClick={() => saveFile(text, filename)}>
            Download
          </Button>
        </div>
      )}
    </div>
  )
}
