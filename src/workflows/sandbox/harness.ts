import { faultMax, outputMax } from './task.ts'

/** The parts of the harness that a run needs. Each takes time to compile, half as much as the rest of a short run. */
export type HarnessParts = { numbers: boolean; locales: boolean }

/**
 * Finds the parts that a source can make use of. `isMarked` is true if its input has numbers that JavaScript does not
 * hold.
 */
export function partsFor(source: string, isMarked: boolean): HarnessParts {
  return { numbers: isMarked || readsNumbers.test(source), locales: namesLocales.test(source) }
}

/** Escapes can spell a name in another way, and code that is made at run time may name anything. */
const readsNumbers = /JSON|BigInt|\dn\b|\b0[xob][\da-f_]+n\b|\\[ux]|eval|Function|constructor|globalThis/i
const namesLocales = /ocale|\\[ux]/i

/**
 * Returns JavaScript that runs the author's code in the same virtual machine. It keeps the built-in functions that it
 * needs before the code can change them. It is a function of the mark of numbers that JavaScript does not hold, and of
 * `exactSource`. Its value is a pair: the first starts the code, the second returns the outcome as text, or undefined
 * before.
 */
export function harnessOf({ numbers, locales }: HarnessParts): string {
  return `(function (mark, exactSource) {
  'use strict'
  const { parse, stringify } = JSON
  const { apply } = Reflect
  const { slice } = String.prototype
  const text = String
  let outcome
  let read = parse
  let lengthOf = (json) => json.length
  ${numbers ? numbersPart : ''}
  ${locales ? localesPart : ''}
  const cut = (value) => apply(slice, text(value), [0, ${faultMax}])
  const describe = (error) => {
    try {
      if (typeof error !== 'object' || error === null || !('message' in error)) return { __proto__: null, message: cut(error) }
      const name = error.name === undefined ? '' : cut(error.name)
      return { __proto__: null, name, message: cut(error.message), stack: cut(error.stack) }
    } catch {
      return { __proto__: null, message: 'an error that cannot be shown' }
    }
  }
  const write = (value) => {
    const json = stringify(value === undefined ? null : value)
    if (json === undefined) return stringify({ __proto__: null, refusal: 'The code returned a ' + typeof value + ', which is not JSON.' })
    if (json.length <= ${outputMax} || lengthOf(json) <= ${outputMax}) return '{"output":' + json + '}'
    return stringify({ __proto__: null, refusal: 'The output has ' + json.length + ' characters as JSON; at most ${outputMax} bytes are kept.' })
  }
  const open = (text, name, other) => {
    const input = read(text)
    if (other !== undefined) input[other] = input[name]
    return input
  }
  const run = async (code, text, name, other) => {
    try {
      outcome = write(await code(open(text, name, other)))
    } catch (error) {
      outcome = stringify({ __proto__: null, error: describe(error) })
    }
  }
  return [(code, text, name, other) => void run(code, text, name, other), () => outcome]
})`
}

/**
 * Makes `JSON` know the numbers that JavaScript does not hold. What reads and writes them is compiled once there are
 * any.
 */
const numbersPart = `
  const evaluate = eval
  let made
  const exact = () => (made ??= evaluate(exactSource)(mark, parse))
  Object.defineProperty(BigInt.prototype, 'toJSON', { value() { return mark + text(this) }, writable: true, configurable: true })
  read = (json) => (json.includes(mark) ? exact().read(json) : parse(json))
  lengthOf = (json) => (json.includes(mark) ? exact().unmark(json).length : json.length)
  JSON.parse = function (json, reviver) {
    const given = text(json)
    return /\\d[\\d.]{15}|\\d[eE]/.test(given) ? exact().parse(given, reviver) : parse(given, reviver)
  }
  JSON.stringify = function (value, replacer, space) {
    const json = stringify(value, replacer, space)
    return json !== undefined && json.includes(mark) ? exact().unmark(json) : json
  }
`

/**
 * The machine knows no locales. It would ignore the arguments that name one, and give a text in a form that was not
 * asked for.
 */
const localesPart = `
  const refuse = (prototype, name, own) => {
    const known = prototype[name]
    const refusing = {
      [name](...given) {
        if (given.slice(own).every((argument) => argument === undefined)) return apply(known, this, given.slice(0, own))
        throw new TypeError(name + ' knows no locales and no options here. Leave these arguments out, and write the form yourself.')
      },
    }
    Object.defineProperty(prototype, name, { value: refusing[name], writable: true, configurable: true })
  }
  for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']) refuse(Date.prototype, name, 0)
  for (const { prototype } of [Object, Number, Array, Object.getPrototypeOf(Uint8Array)]) refuse(prototype, 'toLocaleString', 0)
  for (const name of ['toLocaleLowerCase', 'toLocaleUpperCase']) refuse(String.prototype, name, 0)
  refuse(String.prototype, 'localeCompare', 1)
`
