export type Topic = { id: string; name: string; subscriberCount: number; createdAt: string }

export const topicsPath = '/v1/topics'
