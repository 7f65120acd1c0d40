import type { Answer } from '../api/request.ts'
export type Segment = Answer<'/v1/segments/:id'>
