import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { post } from './call.ts'
import { keys } from './keys.ts'

export type PreviewRequest = {
  /** In a broadcast, variables without a value are empty; elsewhere they stay as they are. */
  kind: 'email' | 'template' | 'broadcast'
  subject?: string
  html?: string | null
  text?: string | null
  variables?: Record<string, string | number | boolean | null>
  /** The contact whose values a broadcast shows. */
  contactId?: string
}

/** `unknown` names the variables that nothing fills in. */
export type Rendered = { subject: string; html: string | null; text: string | null; unknown: string[] }

export const previewsPath = '/v1/previews'
const settleMs = 400

/** Renders content on the server shortly after the last change. What was shown stays until then. */
export function usePreview(request: PreviewRequest) {
  const json = useSettled(JSON.stringify(request))
  const query = useQuery({
    queryKey: keys.part('previews', 'rendered', { json }),
    queryFn: ({ signal }) =>
      post<Rendered>(previewsPath, json, { signal, headers: { 'Content-Type': 'application/json' } }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
  })
  return { ...query, json }
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    if (settled === value) return
    const timer = setTimeout(() => setSettled(value), settleMs)
    return () => clearTimeout(timer)
  }, [value, settled])
  return settled
}
