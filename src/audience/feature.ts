import type { Feature } from '../platform/feature.ts'
import { forgetMembers } from './forget-members.ts'

export const audience: Feature = { name: 'audience', jobs: [forgetMembers] }
