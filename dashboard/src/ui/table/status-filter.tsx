import { sentence } from '../text/words.ts'
import { ListFilter } from './tools.tsx'

/** The filter of a list whose rows have a status, kept as `status` in the address. */
export function StatusFilter({ statuses }: { statuses: readonly string[] }) {
  const options = statuses.map((value) => ({ value, label: sentence(value) }))
  return <ListFilter name="Status" parameter="status" all="Any status" options={options} />
}
