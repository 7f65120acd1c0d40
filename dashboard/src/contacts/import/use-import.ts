import { useEffect, useRef, useState } from 'react'
import { changed } from '../../api/client.ts'
import { randomKey } from '../../api/once-key.ts'
import { isKeeping } from '../../session/kept-typing.ts'
import { say } from '../../ui/dialog/toast.tsx'
import type { Refused } from '../reader/protocol.ts'
import { type Place, sendBatch, type Work } from './send-batch.ts'

export type Progress = Place & {
  state: 'running' | 'waiting' | 'stopped' | 'done'
  created: number
  updated: number
  unchanged: number
  refused: Refused[]
  /** Why it stopped, if not by the reader. */
  error?: unknown
}

const begun: Omit<Progress, 'key'> = {
  state: 'running',
  done: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  refused: [],
}

/**
 * Sends a file batch by batch. Each request is whole or nothing and is done once, so an import goes on by itself when
 * the server is back, and where it was when it is continued.
 */
export function useImport() {
  const [progress, setProgress] = useState<Progress>()
  const run = useRef<AbortController>(undefined)
  useEffect(
    () => () => {
      if (run.current && isKeeping())
        say('The import stopped, because its page was left. Import the file again to go on.')
      run.current?.abort()
    },
    [],
  )

  async function go(work: Work, from: Progress) {
    if (run.current) return
    const control = new AbortController()
    const { signal } = control
    run.current = control
    let { error: _error, ...now }: Progress = { ...from, state: 'running' }
    const onWait = () => {
      now = { ...now, state: 'waiting' }
      setProgress(now)
    }
    setProgress(now)
    try {
      while (!signal.aborted && now.done < work.rows) {
        const taken = await sendBatch(work, now, signal, onWait)
        if (taken) now = add(now, taken)
        setProgress(now)
      }
      setProgress({ ...now, state: now.done < work.rows ? 'stopped' : 'done' })
    } catch (error) {
      setProgress({ ...now, state: 'stopped', error })
    } finally {
      run.current = undefined
      changed('contacts', 'segments')
    }
  }
  return {
    progress,
    start: (work: Work) => void go(work, begin()),
    goOn: (work: Work) => void go(work, progress ?? begin()),
    stop: () => run.current?.abort(),
    reset: () => setProgress(undefined),
  }
}

function begin(): Progress {
  return { ...begun, key: randomKey() }
}

type Taken = Pick<Progress, 'done' | 'created' | 'updated' | 'unchanged' | 'refused'>

function add(now: Progress, { done, created, updated, unchanged, refused }: Taken): Progress {
  return {
    ...now,
    state: 'running',
    done,
    created: now.created + created,
    updated: now.updated + updated,
    unchanged: now.unchanged + unchanged,
    refused: [...now.refused, ...refused],
  }
}
