import { SmallTable } from '../ui/table/small-table.tsx'
import { Time } from '../ui/text/time.tsx'
import { number } from '../ui/text/words.ts'
import type { Attempt } from './webhook.ts'

/** The attempts of a delivery with what the endpoint answered, newest first. */
export function Attempts({ attempts }: { attempts: Attempt[] }) {
  if (attempts.length === 0) return <p className="muted">No attempts yet</p>
  return (
    <SmallTable
      name="Attempts"
      rows={attempts}
      keyOf={({ at }) => at}
      columns={[
        { name: 'Time', width: '176px', cell: ({ at }) => <Time at={at} isExact /> },
        {
          name: 'Answer',
          width: '88px',
          cell: ({ statusCode }) => statusCode ?? <span className="muted">None</span>,
        },
        { name: 'Took', width: '88px', cell: ({ durationMs }) => `${number(durationMs)} ms` },
        { name: 'Body', width: '3fr', cell: Body },
      ]}
    />
  )
}

function Body({ error, body }: Attempt) {
  if (error !== null) return error
  if (body === null) return <span className="muted">Empty</span>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keyboard
    <pre className="attempt-body" tabIndex={0}>
      {body}
    </pre>
  )
}
