import { useQuery } from '@tanstack/react-query'
import { allOf, useAll } from '../../api/all.ts'
import { keys } from '../../api/keys.ts'
import { get } from '../../api/request.ts'
import { Combobox } from '../../ui/form/combobox.tsx'
import type { Option } from '../../ui/form/field.tsx'
import { countOf } from '../../ui/text/words.ts'

/** The options of a menu. `isReading`: they are not all there yet. */
type Choices = { options: Option[]; isReading: boolean }

/** The segments as options, with none first. */
export function useSegmentChoices(): Choices {
  const segments = useAll('/v1/segments')
  const options = (segments ?? []).map(({ id, name, contactCount }) => ({
    value: id,
    label: `${name} (${countOf(contactCount, 'contact')})`,
  }))
  return { options: [{ value: '', label: 'Choose a segment' }, ...options], isReading: segments === undefined }
}

export function useTopicChoices(): Choices {
  const topics = useAll('/v1/topics')
  const options = (topics ?? []).map(({ id, name, subscriberCount }) => ({
    value: id,
    label: `${name} (${countOf(subscriberCount, 'subscriber')})`,
  }))
  const none = { value: '', label: 'No topic: everybody in the segment' }
  return { options: [none, ...options], isReading: topics === undefined }
}

/** The query of the published templates as options, the newest first. */
export function usePublishedTemplates() {
  const templates = useQuery(allOf('/v1/templates'))
  const published = templates.data?.filter(({ status }) => status === 'published')
  return { ...templates, data: published?.map(({ id, name }) => ({ value: id, label: name })) }
}

/** The names of the verified domains, as far as a hint can name them. */
export function useVerifiedDomains(): string[] {
  const domains = useAll('/v1/domains') ?? []
  return domains.filter(({ status }) => status === 'verified').map(({ name }) => name)
}

/** The newest contact of a segment who gets email, whose values a preview shows until another is chosen. */
export function useFirstContact(segmentId: string): Option | undefined {
  const filters = { segmentId, unsubscribed: false, limit: 1 }
  const { data } = useQuery({
    queryKey: keys.part('contacts', 'first', filters),
    queryFn: ({ signal }) => get('/v1/contacts', filters, { signal }),
    enabled: segmentId !== '',
  })
  const first = segmentId === '' ? undefined : data?.data[0]
  return first && { value: first.id, label: first.email }
}

/** Chooses the contact whose values a preview shows. */
export function ContactChoice({ value, onChange }: { value: Option | undefined; onChange: (value?: Option) => void }) {
  return (
    <Combobox
      label="Preview as"
      placeholder="A contact; without one, values are empty"
      noun="contacts"
      value={value?.value ?? ''}
      {...(value && { valueLabel: value.label })}
      onChange={(_, option) => onChange(option)}
      search={async (search, signal) => {
        const { data } = await get('/v1/contacts', { search, limit: 20 }, { signal })
        return data.map(({ id, email }) => ({ value: id, label: email }))
      }}
    />
  )
}
