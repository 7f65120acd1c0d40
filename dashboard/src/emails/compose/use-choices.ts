import { useQuery } from '@tanstack/react-query'
import { useAll } from '../../api/all.ts'
import type { Answer } from '../../api/request.ts'
import { oneOf } from '../../api/use-one.ts'

/** The names of verified domains, and the published templates, which are undefined until they are read. */
export function useChoices() {
  const domains = useAll('/v1/domains') ?? []
  const templates = useAll('/v1/templates')
  return {
    domains: domains.filter(({ status }) => status === 'verified').map(({ name }) => name),
    templates: templates
      ?.filter(({ status }) => status === 'published')
      .map(({ id, name }) => ({ value: id, label: name })),
  }
}

/** The chosen template with its content. */
export function useTemplate(id: string): Answer<'/v1/templates/:id'> | undefined {
  return useQuery({ ...oneOf('/v1/templates/:id', { id }), enabled: id !== '' }).data
}
