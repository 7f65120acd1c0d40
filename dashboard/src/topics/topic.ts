import type { Answer } from '../api/request.ts'
export type Topic = Answer<'/v1/topics/:id'>
