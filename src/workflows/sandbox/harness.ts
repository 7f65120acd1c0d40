import { faultMax, outputMax } from './task.ts'

/**
 * JavaScript that runs the author's code in the same virtual machine. It keeps the built-in functions that it needs before the code
 * can change them. Its value is a pair: the first starts the code, the second returns the outcome as text, or undefined before.
 */
export const harness = `(function () {
  'use strict'
  const { parse, stringify } = JSON
  const { apply } = Reflect
  const { slice } = String.prototype
  const text = String
  let outcome

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
    if (json.length <= ${outputMax}) return '{"output":' + json + '}'
    return stringify({ __proto__: null, refusal: 'The output has ' + json.length + ' characters as JSON; at most ${outputMax} bytes are kept.' })
  }
  const read = (text, name, other) => {
    const input = parse(text)
    if (other !== undefined) input[other] = input[name]
    return input
  }
  const run = async (code, text, name, other) => {
    try {
      outcome = write(await code(read(text, name, other)))
    } catch (error) {
      outcome = stringify({ __proto__: null, error: describe(error) })
    }
  }
  return [(code, text, name, other) => void run(code, text, name, other), () => outcome]
})()`
