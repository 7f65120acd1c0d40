import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Posts } from './endpoints.ts'
import { keys } from './keys.ts'
import { post } from './request.ts'

/** In a broadcast, variables without a value are empty; elsewhere they stay as they are. */
export type PreviewRequest = Posts['/v1/previews']['body']

export const previewsPath = '/v1/previews'
const settleMs = 400

/** Renders content on the server shortly after the last change. What was shown stays until then. */
export function usePreview(request: PreviewRequest) {
  const json = useSettled(JSON.stringify(request))
  const query = useQuery({
    queryKey: keys.part('previews', 'rendered', { json }),
    queryFn: ({ signal }) => post('/v1/previews', { body: JSON.parse(json) as PreviewRequest }, { signal }),
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
