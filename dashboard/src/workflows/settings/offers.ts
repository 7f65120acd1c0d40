import { ancestorsOf, type Graph, stepOf } from '../graph/graph.ts'
import type { StepTypes } from '../workflow.ts'

/** A value that a text may name between `{{` and `}}`. `from` is the step that gives it. */
export type Offer = { path: string; from: string }

const contact = ['id', 'email', 'firstName', 'lastName', 'phoneNumber', 'unsubscribed', 'properties.'].map(
  (field) => `contact.${field}`,
)

/** The outputs of triggers and actions, as docs/workflows.md describes them. A path that ends in a point is written on. */
// biome-ignore format: one line a type
const outputs: Record<string, string[]> = {
  manual: ['.'],
  webhook_received: ['body.', 'headers.', 'query.'],
  schedule: ['scheduledAt'],
  contact_event: ['event', ...contact],
  email_event: ['type', 'emailId', 'data.', ...contact],
  broadcast_complete: ['broadcastId', 'stats.sent', 'stats.delivered', 'stats.opened', 'stats.clicked', 'stats.bounced'],
  send_email: ['emailId', 'status'],
  send_broadcast: ['broadcastId', 'status'],
  http_request: ['body.', 'status_code', 'ok', 'headers.'],
  delay: ['until'],
  condition: ['result'],
  filter: ['passed'],
  add_segment: ['added'],
  remove_segment: ['removed'],
  update_contact: ['contactId', 'email'],
  suppress_email: ['suppressionId', 'email', 'reason'],
}

/** Returns the values that a step may name: of the trigger, of the steps before it, and the variables of a run. */
export function offersFor(graph: Graph, id: string, types: StepTypes): Offer[] {
  const before = ancestorsOf(graph, id)
  const offers = graph.nodes
    .filter((step) => before.has(step.id))
    .flatMap((step) => {
      const root = types.get(step.type)?.kind === 'trigger' ? 'trigger' : `node_${step.id}`
      const fields = outputs[step.type] ?? ['']
      return fields.map((field) => ({ path: joinPath(root, field), from: step.name }))
    })
  const isTrigger = types.get(stepOf(graph, id)?.type ?? '')?.kind === 'trigger'
  return isTrigger ? [] : [...offers, { path: 'vars.', from: 'Variables of a run' }]
}

function joinPath(root: string, field: string): string {
  if (field === '') return root
  return field === '.' ? `${root}.` : `${root}.${field}`
}

/** Returns what was typed after the last open `{{`, or undefined. */
export function typedAfterBraces(before: string): string | undefined {
  return /\{\{([^{}\n]{0,100})$/.exec(before)?.[1]
}

/** Returns the offers that hold what was typed. */
export function offersMatching(offers: Offer[], typed: string): Offer[] {
  const wanted = typed.trim().toLowerCase()
  return offers.filter(({ path, from }) => path.toLowerCase().includes(wanted) || from.toLowerCase().includes(wanted))
}

/** Returns the text that takes the place of `{{typed`. A path that is written on stays open. */
export function textOfOffer({ path }: Offer): string {
  return path.endsWith('.') ? `{{${path}` : `{{${path}}}`
}
