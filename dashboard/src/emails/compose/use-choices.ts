import { useQuery } from '@tanstack/react-query'
import { get } from '../../api/call.ts'
import type { Page } from '../../api/json.ts'
import { keys } from '../../api/keys.ts'
import { oneOf } from '../../api/use-one.ts'

type Named = { id: string; name: string; status: string }
type Template = Named & { html: string | null; text: string | null }

/** The names of verified domains, and the published templates: the newest 100 of each. */
export function useChoices() {
  const domains = useNewest('domains')
  const templates = useNewest('templates')
  return {
    domains: domains.filter(({ status }) => status === 'verified').map(({ name }) => name),
    templates: templates
      .filter(({ status }) => status === 'published')
      .map(({ id, name }) => ({ value: id, label: name })),
  }
}

function useNewest(noun: string): Named[] {
  const { data } = useQuery({
    queryKey: keys.part(noun, 'newest'),
    queryFn: ({ signal }) => get<Page<Named>>(`/v1/${noun}?limit=100`, { signal }),
  })
  return data?.data ?? []
}

/** The chosen template with its content. */
export function useTemplate(id: string): Template | undefined {
  return useQuery({ ...oneOf<Template>('/v1/templates', id), enabled: id !== '' }).data
}
