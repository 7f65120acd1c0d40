export type Segment = { id: string; name: string; contactCount: number; unsubscribedCount: number; createdAt: string }

export const segmentsPath = '/v1/segments'
