import { useEffect, useRef, useState } from 'react'
import { post } from '../../api/call.ts'
import { changed } from '../../api/client.ts'
import { Refusal, Unreachable } from '../../api/refusal.ts'
import type { Mapping } from '../csv/columns.ts'
import type { Reader } from '../reader/open.ts'
import type { Refused } from '../reader/protocol.ts'

type Answer = {
  created: number
  updated: number
  skipped: number
  errors: { index: number; message: string }[]
}

export type Progress = {
  state: 'running' | 'waiting' | 'stopped' | 'done'
  /** Records that are behind it. */
  done: number
  created: number
  updated: number
  unchanged: number
  refused: Refused[]
  /** Why it stopped, if not by the reader. */
  error?: unknown
}

export type Work = { reader: Reader; rows: number; mapping: Mapping; segmentId: string }

const begun: Progress = { state: 'running', done: 0, created: 0, updated: 0, unchanged: 0, refused: [] }
const waitMs = 3000

/**
 * Sends a file batch by batch. Each request is whole or nothing and may be repeated, so an import goes on by itself when the
 * server is back, and where it was when it is continued.
 */
export function useImport() {
  const [progress, setProgress] = useState<Progress>()
  const run = useRef({ isWanted: false, isRunning: false })
  useEffect(() => {
    const { current } = run
    return () => {
      current.isWanted = false
    }
  }, [])

  async function go(work: Work, from: Progress) {
    if (run.current.isRunning) return
    run.current = Object.assign(run.current, { isWanted: true, isRunning: true })
    let { error: _error, ...now }: Progress = { ...from, state: 'running' }
    setProgress(now)
    try {
      while (run.current.isWanted && now.done < work.rows) {
        now = await sendBatch(work, now, run.current, () => setProgress({ ...now, state: 'waiting' }))
        setProgress(now)
      }
      setProgress({ ...now, state: now.done < work.rows ? 'stopped' : 'done' })
    } catch (error) {
      setProgress({ ...now, state: 'stopped', error })
    } finally {
      run.current.isRunning = false
      changed('contacts', 'segments')
    }
  }
  return {
    progress,
    start: (work: Work) => void go(work, begun),
    goOn: (work: Work) => void go(work, progress ?? begun),
    stop: () => {
      run.current.isWanted = false
    },
    reset: () => setProgress(undefined),
  }
}

async function sendBatch(
  { reader, mapping, segmentId }: Work,
  now: Progress,
  run: { isWanted: boolean },
  onWait: () => void,
): Promise<Progress> {
  const { contacts, at, refused, next } = await reader.ask('batch', { from: now.done, mapping })
  const body = { contacts, ...(segmentId && { segmentId }) }
  const answer = contacts.length === 0 ? null : await sendUntilTaken(body, run, onWait)
  if (contacts.length > 0 && !answer) return now
  const { created = 0, updated = 0, skipped = 0, errors = [] } = answer ?? {}
  return {
    state: 'running',
    done: next,
    created: now.created + created,
    updated: now.updated + updated,
    unchanged: now.unchanged + skipped - errors.length,
    refused: [
      ...now.refused,
      ...refused,
      ...errors.map(({ index, message }) => ({ index: at[index]!, reason: message })),
    ],
  }
}

/** Repeats the request while the server can't be reached or is busy. Null if the reader stops meanwhile. */
async function sendUntilTaken(body: object, run: { isWanted: boolean }, onWait: () => void): Promise<Answer | null> {
  while (run.isWanted) {
    try {
      return await post<Answer>('/v1/contacts/import', body)
    } catch (error) {
      const isBusy = error instanceof Refusal && [429, 503].includes(error.status)
      if (!isBusy && !(error instanceof Unreachable)) throw error
      onWait()
      const seconds = error instanceof Refusal ? error.retryAfter : null
      await new Promise((resolve) => setTimeout(resolve, seconds === null ? waitMs : seconds * 1000))
    }
  }
  return null
}
