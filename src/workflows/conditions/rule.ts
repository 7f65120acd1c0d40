import Type, { type TOptional, type TSchema, type TUnsafe } from 'typebox'
import { Strict, TextEnum } from '../../platform/http/schema/schema.ts'

const operators = [
  ...(['equals', 'not_equals', 'contains', 'not_contains', 'starts_with', 'ends_with'] as const),
  ...(['greater_than', 'less_than', 'exists', 'not_exists', 'matches'] as const),
]
export type Operator = (typeof operators)[number]

/** A comparison, or a group in `all` or `any`. */
export type Rule = { left?: unknown; operator?: Operator; right?: unknown; all?: Rule[]; any?: Rule[] }

/** The nesting of groups. Each level doubles the schema. */
const depthMax = 3
/** The rules of one group. */
const groupMax = 100

const Side = (more: object = {}) =>
  Type.Optional(Type.Unsafe<unknown>({ type: ['string', 'number', 'boolean'], ...more }))
const Right = (more: object = {}) => Side({ type: ['string', 'number', 'boolean', 'null'], ...more })
const comparison = { left: Side(), operator: Type.Optional(TextEnum(...operators)), right: Right() }

/**
 * `{left, operator, right}`, or a list of rules in `all` or `any`. `ruleFaults` checks that it is exactly one of them.
 */
export const RuleConfig = Strict({
  ...comparison,
  left: Side({
    title: 'Left',
    description: 'A value, or a text with placeholders. One placeholder and nothing else keeps the type of its value.',
    examples: ['{{trigger.contact.properties.plan}}'],
  }),
  right: Right({
    title: 'Right',
    description: 'The value to compare with; null equals only null. exists and not_exists need none.',
  }),
  ...groups(1),
})

function groups(depth: number): { all: TOptional<TUnsafe<Rule[]>>; any: TOptional<TUnsafe<Rule[]>> } {
  const item: TSchema = Strict(depth === depthMax ? comparison : { ...comparison, ...groups(depth + 1) })
  const list = Type.Optional(Type.Unsafe<Rule[]>(Type.Array(item, { minItems: 1, maxItems: groupMax })))
  return { all: list, any: list }
}
