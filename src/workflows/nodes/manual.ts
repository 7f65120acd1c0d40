import Type from 'typebox'
import { Strict } from '../../platform/http/schema/schema.ts'
import { trigger } from './node.ts'

export const manualNode = trigger({
  type: 'manual',
  title: 'Manual',
  description: 'Fires only when the workflow is started in the dashboard or with the API.',
  config: Strict({}),
  output: Type.Unknown({ description: 'The `triggerData` that you send.' }),
})
