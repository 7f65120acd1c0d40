import { useEffect, useRef, useState } from 'react'
import { useOptions } from '../../api/all.ts'
import { useMay, whoMay } from '../../session/me.ts'
import { Button, ButtonLink } from '../../ui/button/button.tsx'
import { Field, Select } from '../../ui/form/field.tsx'
import { NewestOnly } from '../../ui/form/newest-only.tsx'
import { Page } from '../../ui/frame/page.tsx'
import { Empty, Loading } from '../../ui/frame/states.tsx'
import { Go } from '../../ui/go/go.tsx'
import { Fault } from '../../ui/text/fault.tsx'
import { countOf } from '../../ui/text/words.ts'
import { faultOf, type Goal, guessGoals } from '../csv/columns.ts'
import type { Reader } from '../reader/open.ts'
import type { Summary } from '../reader/protocol.ts'
import { Columns } from './columns.tsx'
import { useInterrupted } from './interrupted.tsx'
import { Outcome } from './outcome.tsx'
import type { Work } from './send-batch.ts'
import { useImport } from './use-import.ts'
import { useReader } from './use-reader.ts'

export default function ImportContacts() {
  const mayEdit = useMay('POST /v1/contacts/import')
  return (
    <Page title="Import contacts" above={<Go to="/contacts">Contacts</Go>} isNarrow>
      {mayEdit ? (
        <Importing />
      ) : (
        <Empty title="Not for your role">
          <p>{whoMay('POST /v1/contacts/import')} import contacts.</p>
        </Empty>
      )}
    </Page>
  )
}

function Importing() {
  const { reader, file, summary, fault, isReading, read } = useReader()
  const imported = useImport()
  const { progress } = imported
  const isUnderWay = progress?.state === 'running' || progress?.state === 'waiting'
  useWarning(isUnderWay)
  const interrupted = useInterrupted(progress, file?.name, summary?.rows)
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      {interrupted}
      {!progress && (
        <Field
          ref={input}
          type="file"
          label="CSV file"
          accept=".csv,.tsv,.txt,text/csv"
          hint="The first row names the columns. Save a spreadsheet as “CSV UTF-8”; 50 MB at most."
          fault={fault}
          onChange={(event) => void read(event.target.files?.[0])}
        />
      )}
      {isReading && <Loading lines={3} />}
      {summary && file && reader && (
        <Chosen
          key={file.name + file.lastModified + file.size}
          summary={summary}
          isStarted={progress !== undefined}
          onStart={(goals, segmentId) => imported.start(workOf(reader, summary, goals, segmentId))}
        >
          {(goals, segmentId) =>
            progress && (
              <Outcome
                {...{ progress, reader, rows: summary.rows, fileName: file.name }}
                onStop={imported.stop}
                onGoOn={() => imported.goOn(workOf(reader, summary, goals, segmentId))}
              />
            )
          }
        </Chosen>
      )}
      {progress && !isUnderWay && (
        <Next
          onAnother={() => {
            imported.reset()
            void read(undefined)
          }}
        />
      )}
    </>
  )
}

function workOf(reader: Reader, { header, rows }: Summary, goals: Goal[], segmentId: string): Work {
  return { reader, rows, mapping: { header, goals }, segmentId }
}

function Next({ onAnother }: { onAnother: () => void }) {
  return (
    <div className="actions">
      <ButtonLink to="/contacts">See the contacts</ButtonLink>
      <Button kind="quiet" onClick={onAnother}>
        Import another file
      </Button>
    </div>
  )
}

type ChosenProps = {
  summary: Summary
  isStarted: boolean
  onStart: (goals: Goal[], segmentId: string) => void
  children: (goals: Goal[], segmentId: string) => React.ReactNode
}

/** A file that was read: its rows, and what its columns become. */
function Chosen({ summary, isStarted, onStart, children }: ChosenProps) {
  const { header, rows, samples } = summary
  const [goals, setGoals] = useState(() => guessGoals(header))
  const [segmentId, setSegmentId] = useState('')
  const segments = useOptions('/v1/segments')
  const fault = rows === 0 ? 'The file has no rows below its first.' : faultOf({ header, goals })
  if (isStarted) return children(goals, segmentId)
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        if (!fault) onStart(goals, segmentId)
      }}
    >
      <p role="status" className="import-rows">
        {countOf(rows, 'row')}
      </p>
      <Columns mapping={{ header, goals }} samples={samples} onChange={setGoals} />
      <Select
        label="Add to segment"
        isOptional
        options={[{ value: '', label: 'No segment' }, ...(segments ?? [])]}
        value={segmentId}
        onChoose={setSegmentId}
      />
      <NewestOnly nouns={['segments']} />
      <p className="small muted">
        Known addresses are updated: empty cells change nothing, and an import never subscribes a person again. It may
        be stopped and repeated.
      </p>
      {fault && <Fault error={new Error(fault)} />}
      <div className="actions">
        <Button type="submit" kind="main" disabled={fault !== null}>
          Import
        </Button>
      </div>
    </form>
  )
}

/** The browser asks before it leaves the page while this is true. */
function useWarning(isUnderWay: boolean): void {
  useEffect(() => {
    if (!isUnderWay) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isUnderWay])
}
