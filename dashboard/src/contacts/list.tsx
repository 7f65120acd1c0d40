import { queryOptions, useQuery } from '@tanstack/react-query'
import { useOptions } from '../api/all.ts'
import { keys } from '../api/keys.ts'
import { type Prefetch, prefetchList, useList } from '../api/list.ts'
import { get, hrefOf } from '../api/request.ts'
import { ContactsTable } from '../audience/contacts-table.tsx'
import { useMay } from '../session/me.ts'
import { ButtonLink } from '../ui/button/button.tsx'
import { DownloadLink } from '../ui/button/download.tsx'
import { NewestOnly } from '../ui/form/newest-only.tsx'
import { Page } from '../ui/frame/page.tsx'
import { Empty } from '../ui/frame/states.tsx'
import { type Address, useAddress } from '../ui/go/address.ts'
import { NoMatch } from '../ui/table/no-match.tsx'
import { ListFilter, ListSearch, ListTools } from '../ui/table/tools.tsx'
import { countOf, number } from '../ui/text/words.ts'
import { AddContact } from './add.tsx'

const countQuery = queryOptions({
  queryKey: keys.part('contacts', 'count'),
  queryFn: ({ signal }) => get('/v1/contacts/count', {}, { signal }),
})

/** The filters of the address, as the API takes them. */
function filtersOf({ search, segmentId, topicId, unsubscribed }: Address) {
  return { search, segmentId, topicId, unsubscribed }
}

export const prefetch: Prefetch = (client, { search }) => {
  prefetchList(client, '/v1/contacts', filtersOf(search))
  void client.prefetchQuery(countQuery)
}

export default function Contacts() {
  const [address] = useAddress()
  const mayEdit = useMay('POST /v1/contacts')
  const filters = filtersOf(address)
  const list = useList('/v1/contacts', filters)
  const isFiltered = Object.values(filters).some(Boolean)
  return (
    <Page
      title="Contacts"
      actions={
        <>
          <DownloadLink href={hrefOf('/v1/contacts/export', filters)}>Export</DownloadLink>
          {mayEdit && <ButtonLink to="/contacts/import">Import contacts</ButtonLink>}
          {mayEdit && <AddContact />}
        </>
      }
    >
      <Filters isFiltered={isFiltered} />
      <NewestOnly nouns={['segments', 'topics']} />
      <ContactsTable
        list={list}
        empty={isFiltered ? <NoMatch title="No contact matches" /> : <NoContacts mayEdit={mayEdit} />}
      />
    </Page>
  )
}

function Filters({ isFiltered }: { isFiltered: boolean }) {
  const segments = useOptions('/v1/segments')
  const topics = useOptions('/v1/topics')
  const { data: count } = useQuery(countQuery)
  const words = count && `${countOf(count.total, 'contact')}, ${number(count.unsubscribed)} unsubscribed`
  return (
    <ListTools total={isFiltered ? undefined : words}>
      <ListSearch name="Search contacts" />
      <ListFilter name="Segment" parameter="segmentId" all="Any segment" options={segments} />
      <ListFilter name="Topic" parameter="topicId" all="Any topic" options={topics} />
      <ListFilter
        name="Unsubscribed"
        parameter="unsubscribed"
        all="Subscribed or not"
        options={[
          { value: 'false', label: 'Subscribed' },
          { value: 'true', label: 'Unsubscribed' },
        ]}
      />
    </ListTools>
  )
}

function NoContacts({ mayEdit }: { mayEdit: boolean }) {
  return (
    <Empty title="No contacts yet">
      <p>The people that broadcasts and workflows write to are listed here.</p>
      {mayEdit && <p>Add one by hand, import a CSV file, or send them to POST /v1/contacts.</p>}
    </Empty>
  )
}
