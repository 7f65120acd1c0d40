import { useQuery } from '@tanstack/react-query'
import { useAll } from '../../api/all.ts'
import { oneOf } from '../../api/use-one.ts'

type Named = { id: string; name: string; status: string }
type Template = Named & { html: string | null; text: string | null }

/** The names of verified domains, and the published templates. */
export function useChoices() {
  const domains = useAll<Named>('domains') ?? []
  const templates = useAll<Named>('templates') ?? []
  return {
    domains: domains.filter(({ status }) => status === 'verified').map(({ name }) => name),
    templates: templates
      .filter(({ status }) => status === 'published')
      .map(({ id, name }) => ({ value: id, label: name })),
  }
}

/** The chosen template with its content. */
export function useTemplate(id: string): Template | undefined {
  return useQuery({ ...oneOf<Template>('/v1/templates', id), enabled: id !== '' }).data
}
