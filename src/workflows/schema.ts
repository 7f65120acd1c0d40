import Type, { type Static } from 'typebox'
import {
  AnyObject,
  Body,
  Name,
  Nullable,
  Page,
  Resource,
  Strict,
  TestMark,
  Text,
  TextEnum,
  Timestamp,
  Uuid,
} from '../platform/http/schema/schema.ts'
import { connectionsMax, nameMax, nodesMax } from './graph/graph.ts'

const GivenName = Name({ maxLength: nameMax, examples: ['Welcome'] })
const Description = Type.Optional(Nullable(Text({ maxLength: 5000, examples: ['What every new customer gets.'] })))

/**
 * `graph/check-shape.ts` checks the form of ids and the types of nodes, so that one answer names all faults of a graph.
 */
const Id = (description: string, example: string) => Type.String({ maxLength: 1000, description, examples: [example] })
const idForm = 'You choose it: 1 to 64 letters, digits, `_` and `-`'

/** A coordinate of a node in an editor. The bounds keep it a number that JSON carries unchanged. */
const Place = Type.Number({ minimum: -1e9, maximum: 1e9 })

const Config = AnyObject({
  description:
    'The config that the type describes (`GET /v1/workflows/node-types`). It is checked when the workflow is activated.',
  examples: [{}],
})

const NewNode = Strict({
  id: Id(`${idForm}, unique among the nodes.`, 'start'),
  type: Id('See `GET /v1/workflows/node-types`.', 'manual'),
  name: Type.Optional(Name({ maxLength: nameMax, description: 'If left out, the title of the type.' })),
  config: Type.Optional(Config),
  position: Type.Optional(Strict({ x: Place, y: Place }, { description: 'If left out, `{x: 0, y: 0}`.' })),
})
export type NewNode = Static<typeof NewNode>

const NewConnection = Strict({
  id: Id(`${idForm}, unique among the connections.`, 'start-welcome'),
  source: Id('The id of the node where the connection begins.', 'start'),
  target: Id('The id of the node where the connection ends.', 'welcome'),
  branch: Type.Optional(
    Type.Unsafe<'true' | 'false' | null>({
      enum: ['true', 'false', null],
      description: 'The path of a condition. Null or left out after every other node.',
    }),
  ),
})
export type NewConnection = Static<typeof NewConnection>

export const NewWorkflow = Body('NewWorkflow', { name: GivenName, description: Description })
export type NewWorkflow = Static<typeof NewWorkflow>

const exampleChanges = {
  name: 'Welcome',
  nodes: [
    { id: 'start', type: 'contact_event', config: { events: ['created'] } },
    {
      id: 'welcome',
      type: 'send_email',
      config: {
        from: 'Shop <hello@sandbox.test>',
        to: '{{trigger.contact.email}}',
        subject: 'Welcome',
        text: 'Hello {{trigger.contact.firstName}}',
      },
    },
  ],
  connections: [{ id: 'start-welcome', source: 'start', target: 'welcome' }],
}

export const WorkflowChanges = Body(
  'WorkflowChanges',
  {
    name: Type.Optional(GivenName),
    description: Description,
    nodes: Type.Optional(
      Type.Array(NewNode, { maxItems: nodesMax, description: 'All nodes. Those left out are deleted.' }),
    ),
    connections: Type.Optional(
      Type.Array(NewConnection, {
        maxItems: connectionsMax,
        description: 'All connections. Those left out are deleted.',
      }),
    ),
  },
  { minProperties: 1, examples: [exampleChanges] },
)
export type WorkflowChanges = Static<typeof WorkflowChanges>

const Node = Type.Object({
  id: Type.String({ examples: ['start'] }),
  type: Type.String({ examples: ['manual'] }),
  name: Type.String({ examples: ['Start by hand'] }),
  // No `type`, so that the serializer writes a config as it is. Member by member, a long list takes ten times as long.
  config: Type.Unsafe<Record<string, unknown>>({ description: 'The object that was saved.', examples: [{}] }),
  position: Type.Object({ x: Type.Number(), y: Type.Number() }),
})

const Connection = Type.Object({
  id: Type.String({ examples: ['start-welcome'] }),
  source: Type.String({ examples: ['start'] }),
  target: Type.String({ examples: ['welcome'] }),
  branch: Nullable(TextEnum('true', 'false')),
})

const trigger = 'Null unless the workflow has the trigger `webhook_received`.'

export const Workflow = Resource('Workflow', {
  id: Uuid,
  name: Type.String({ examples: ['Welcome'] }),
  description: Nullable(Type.String()),
  status: TextEnum('draft', 'active', 'inactive'),
  mode: TestMark,
  nodes: Type.Array(Node),
  connections: Type.Array(Connection),
  triggerUrl: Nullable(
    Type.String({ description: `The URL that starts the workflow by POST while it is active. ${trigger}` }),
  ),
  triggerKey: Nullable(Type.String({ description: `The last part of that URL. ${trigger}` })),
  createdAt: Timestamp,
})

export const WorkflowList = Page(Workflow)

/** The nodes and connections of a graph, as an answer shows them. */
export const GraphShown = Resource('WorkflowGraph', { nodes: Type.Array(Node), connections: Type.Array(Connection) })

export const WorkflowCheck = Resource('WorkflowCheck', {
  faults: Type.Array(
    Type.Object({
      nodeId: Nullable(
        Type.String({
          description: 'The node that the fault is shown at. Null if it concerns the graph as a whole.',
          examples: ['welcome'],
        }),
      ),
      path: Type.String({
        description: 'The place in the workflow, as the refusal of an activation names it.',
        examples: ['nodes[1].config.template_id'],
      }),
      message: Type.String({ examples: ['is required (node "welcome")'] }),
    }),
  ),
})

export const NodeTypeList = Page(
  Resource('NodeType', {
    type: Type.String({ examples: ['send_email'] }),
    kind: TextEnum('trigger', 'action'),
    title: Type.String({ examples: ['Send an email'] }),
    description: Type.String(),
    configSchema: Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'The JSON Schema of the config. `x-resource` names the list that an id comes from, such as `segments`; `contentMediaType` the language of a text.',
      },
    ),
    outputSchema: Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'The JSON Schema of what later nodes read: of a trigger as `trigger`, of an action as `node_<id>`. `{}` is any value.',
      },
    ),
    branches: Type.Array(TextEnum('true', 'false'), {
      description: 'The branches that connections from the node name. Empty for most types.',
    }),
    restricted: Type.Boolean({
      description: 'True if marketers may run workflows with such a node, and may not write them.',
    }),
  }),
)
