import { useEffect, useRef, useState } from 'react'
import { openReader, type Reader } from '../reader/open.ts'
import type { Summary } from '../reader/protocol.ts'

const fileMaxBytes = 50 * 1024 * 1024

type State = { file?: File; summary?: Summary; fault?: string; isReading: boolean }

/** Reads files in a worker, which begins with the page and ends with it. */
export function useReader() {
  const [reader, setReader] = useState<Reader>()
  const [state, setState] = useState<State>({ isReading: false })
  const latest = useRef<File>(undefined)
  useEffect(() => {
    const opened = openReader()
    setReader(opened)
    return () => opened.close()
  }, [])

  async function read(file: File | undefined) {
    latest.current = file
    if (!file || !reader) return setState({ isReading: false })
    if (file.size > fileMaxBytes)
      return setState({
        isReading: false,
        fault: 'The file is larger than 50 MB. Split it, or run “npx posthorn contacts import” on the server.',
      })
    setState({ isReading: true })
    const next = await reader.ask('read', file).then(
      (summary) => ({ file, summary, isReading: false }),
      (error: Error) => ({ fault: error.message, isReading: false }),
    )
    if (latest.current === file) setState(next)
  }
  return { reader, ...state, read }
}
