import { ActionButton } from '../../ui/button/action-button.tsx'
import { Button } from '../../ui/button/button.tsx'
import { saveFile } from '../../ui/button/save-file.ts'
import { Section } from '../../ui/frame/section.tsx'
import { Fault } from '../../ui/text/fault.tsx'
import { countOf, number } from '../../ui/text/words.ts'
import type { Reader } from '../reader/open.ts'
import type { Refused } from '../reader/protocol.ts'
import type { Progress } from './use-import.ts'

const reasonsShown = 5

type Props = {
  progress: Progress
  rows: number
  fileName: string
  reader: Reader
  onStop: () => void
  onGoOn: () => void
}

/** How far an import is, and in the end what became of the rows. */
export function Outcome({ progress, rows, fileName, reader, onStop, onGoOn }: Props) {
  const { state, done, refused, error } = progress
  const isUnderWay = state === 'running' || state === 'waiting'
  return (
    <Section title={headings[state]}>
      {state !== 'done' && (
        <>
          <progress className="import-progress" aria-label="Import" max={rows} value={done} />
          <p>
            {number(done)} of {countOf(rows, 'row')}
            {state === 'waiting' && ". Posthorn is busy or can't be reached; the import goes on by itself."}
          </p>
        </>
      )}
      <Counts progress={progress} />
      <Fault error={error} />
      {refused.length > 0 && <Reasons refused={refused} />}
      <div className="actions">
        {isUnderWay && <Button onClick={onStop}>Stop</Button>}
        {state === 'stopped' && (
          <Button kind="main" onClick={onGoOn}>
            Continue
          </Button>
        )}
        {!isUnderWay && refused.length > 0 && <Download refused={refused} fileName={fileName} reader={reader} />}
      </div>
    </Section>
  )
}

const headings = { running: 'Importing', waiting: 'Importing', stopped: 'Import stopped', done: 'Import finished' }

function Counts({ progress }: { progress: Progress }) {
  const { state, created, updated, unchanged, refused } = progress
  const others = Object.entries({ updated, unchanged, refused: refused.length }).filter(([, count]) => count > 0)
  return (
    <div role="status" aria-live={state === 'done' ? 'polite' : 'off'}>
      <ul className="import-counts">
        {[['created', created] as const, ...others].map(([name, count]) => (
          <li key={name}>
            {number(count)} {name}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Reasons({ refused }: { refused: Refused[] }) {
  const counts = new Map<string, number>()
  for (const { reason } of refused) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const most = [...counts].sort(([, one], [, other]) => other - one)
  return (
    <ul className="import-reasons">
      {most.slice(0, reasonsShown).map(([reason, count]) => (
        <li key={reason}>
          {countOf(count, 'row')}: {reason}
        </li>
      ))}
      {most.length > reasonsShown && <li>and {countOf(most.length - reasonsShown, 'other reason')}</li>}
    </ul>
  )
}

function Download({ refused, fileName, reader }: Pick<Props, 'fileName' | 'reader'> & { refused: Refused[] }) {
  async function save() {
    saveFile(await reader.ask('refusedFile', refused), `${fileName.replace(/\.csv$/i, '')}.refused.csv`)
  }
  return (
    <ActionButton icon="download" run={save}>
      Download refused rows
    </ActionButton>
  )
}
