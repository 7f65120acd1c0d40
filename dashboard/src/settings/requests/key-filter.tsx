import { useList } from '../../api/list.ts'
import { ListFilter } from '../../ui/table/tools.tsx'

/** The filter by API key, of the first hundred keys. */
export function KeyFilter() {
  const keys = useList<{ id: string; name: string }>('/v1/api-keys').rows ?? []
  return (
    <ListFilter
      name="API key"
      parameter="apiKeyId"
      all="Any API key"
      options={keys.map(({ id, name }) => ({ value: id, label: name }))}
    />
  )
}
