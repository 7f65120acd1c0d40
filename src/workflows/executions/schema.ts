import Type, { type Static } from 'typebox'
import {
  AnyObject,
  Body,
  Cursor,
  IdOf,
  Limit,
  Nullable,
  NullableTimestamp,
  Page,
  Resource,
  Strict,
  TestMark,
  TextEnum,
  Timestamp,
  Uuid,
} from '../../platform/http/schema/schema.ts'
import { executionStatuses } from '../table.ts'

/** The length of an error in lists, in characters. */
export const previewMax = 200

export const NewExecutionBody = Body('NewExecution', {
  triggerData: Type.Optional(
    AnyObject({ description: 'The data of the trigger: `{{trigger.…}}` in configs. `{}` if it is left out.' }),
  ),
  vars: Type.Optional(AnyObject({ description: '`{{vars.…}}` in configs.' })),
})
export type NewExecutionBody = Static<typeof NewExecutionBody>

export const RerunBody = Body('ExecutionRerun', {
  fromFailedNode: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Keeps the completed nodes and begins with the node that failed. Only for an execution that failed.',
    }),
  ),
})
export type RerunBody = Static<typeof RerunBody>

export const ExecutionParams = Strict({ id: IdOf('the workflow'), exec_id: IdOf('the execution') })

const Status = TextEnum(...executionStatuses)

export const ExecutionQuery = Strict({
  status: Type.Optional({ ...Status, description: 'Only those with this status.' }),
  limit: Limit,
  cursor: Cursor,
})
export type ExecutionQuery = Static<typeof ExecutionQuery>

const fields = {
  id: Uuid,
  workflowId: Uuid,
  status: Status,
  mode: TestMark,
  nodeCount: Type.Integer({ description: 'The number of nodes of the graph, including the trigger.' }),
  startedAt: Timestamp,
  completedAt: NullableTimestamp,
}

export const Execution = Resource('Execution', {
  ...fields,
  error: Nullable(Type.String({ description: `The first ${previewMax} characters.` })),
})
export type Execution = Static<typeof Execution>

export const ExecutionPage = Page(Execution)

const Data = (description: string) => Type.Unsafe<unknown>({ description })

const ExecutionNode = Type.Object({
  id: Uuid,
  nodeId: Type.String({ description: 'The id of the node in the graph.' }),
  nodeType: Type.String(),
  status: TextEnum('pending', 'running', 'completed', 'failed', 'skipped', 'waiting'),
  inputData: Data('Its config as it was run, with all placeholders filled; null where it has not begun.'),
  outputData: Data('What it gave, once it is complete.'),
  error: Nullable(Type.String()),
  startedAt: NullableTimestamp,
  completedAt: NullableTimestamp,
})
export type ExecutionNode = Static<typeof ExecutionNode>

export const ExecutionDetail = Resource('ExecutionDetail', {
  ...fields,
  error: Nullable(Type.String()),
  triggerData: Data('An object.'),
  nodes: Type.Array(ExecutionNode, { description: 'All nodes of the graph that the execution started with.' }),
})
export type ExecutionDetail = Static<typeof ExecutionDetail>
