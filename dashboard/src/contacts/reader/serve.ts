import { csvLine } from '../../../../src/platform/csv/line.ts'
import { type CsvFile, parseCsv } from '../csv/parse.ts'
import { takeBatch } from '../csv/take-batch.ts'
import type { Answered, Asked, Refused, Summary } from './protocol.ts'

/** Answers the tasks of a page, in the worker. It keeps the file that was read last. */
export function serveReader(port: MessagePort): void {
  let file: CsvFile | undefined
  async function run(asked: Asked): Promise<unknown> {
    if (asked.name === 'read') {
      file = parseCsv(await readText(asked.input))
      return summaryOf(file)
    }
    if (!file) throw new Error('No file has been read. Choose the file again.')
    if (asked.name === 'batch') return takeBatch(file, asked.input.from, asked.input.mapping)
    return refusedFile(file, asked.input)
  }
  port.onmessage = ({ data }: MessageEvent<Asked>) => {
    const { id } = data
    run(data).then(
      (output) => port.postMessage({ id, output } satisfies Answered),
      (error: Error) => port.postMessage({ id, fault: error.message } satisfies Answered),
    )
  }
}

async function readText(file: File): Promise<string> {
  const bytes = await file.arrayBuffer()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error('The file is not UTF-8. Save it as “CSV UTF-8” and choose it again.')
  }
}

function summaryOf({ header, records }: CsvFile): Summary {
  const samples = header.map(
    (_name, column) => records.slice(0, 100).find(({ cells }) => cells[column])?.cells[column] ?? '',
  )
  return { header, rows: records.length, samples: samples.map((text) => text.slice(0, 100)) }
}

function refusedFile({ header, records, delimiter }: CsvFile, refused: Refused[]): Blob {
  const rows = [...refused]
    .sort((one, other) => one.index - other.index)
    .map(({ index, reason }) => [...records[index]!.cells, `line ${records[index]!.line}: ${reason}`])
  const lines = [[...header, 'reason'], ...rows].map((cells) => csvLine(cells, delimiter))
  return new Blob(lines, { type: 'text/csv;charset=utf-8' })
}
