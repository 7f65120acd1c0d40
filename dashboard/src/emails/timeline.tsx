import { useQuery } from '@tanstack/react-query'
import { RouteLine } from '../ui/frame/route-line.tsx'
import { Fetch } from '../ui/frame/states.tsx'
import { useMode } from '../ui/go/address.ts'
import { emailOf, eventsOf } from './email.ts'
import { stationsOf } from './stations.ts'

/** The route line of an email of the page's mode, with what the receiving host said. */
export function Timeline({ emailId }: { emailId: string }) {
  const mode = useMode()
  const email = useQuery(emailOf(emailId, mode))
  const events = useQuery(eventsOf(emailId, mode))
  return (
    <Fetch query={email} lines={3}>
      {(email) => (
        <Fetch query={events} lines={3}>
          {(events) => (
            <RouteLine
              name="Timeline"
              stations={stationsOf(email, events).map(({ said, recipients, ...station }) => ({
                ...station,
                children: (said || recipients.length > 0) && (
                  <>
                    {recipients.length > 0 && <p className="mono">{recipients.join(', ')}</p>}
                    {said && <p>{said}</p>}
                  </>
                ),
              }))}
            />
          )}
        </Fetch>
      )}
    </Fetch>
  )
}
