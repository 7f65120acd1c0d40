import { useQuery } from '@tanstack/react-query'
import { get } from '../api/call.ts'
import { keys } from '../api/keys.ts'

export type Installation = {
  version: string
  publicUrl: string
  providers: { email: string; sms: string; whatsapp: string; payments: string }
  smtp: { host: string; port: number | null; tlsPort: number | null }
  /** Null except for the operator's team. */
  discardedJobs: number | null
}

/** How this server is set up, such as the providers that send. */
export function useInstallation() {
  return useQuery({
    queryKey: keys.part('installation', 'installation'),
    queryFn: ({ signal }) => get<Installation>('/v1/installation', { signal }),
  })
}
