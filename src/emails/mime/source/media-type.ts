/** `value` is a `type/subtype` or a disposition. It and the parameters' names are in lower case. */
export type MediaType = { value: string; parameters: Map<string, string> }

const fileNames = new Set(['name', 'filename'])

/** Parameters after these are ignored. */
const parametersMax = 50
const parameterForm = /;[ \t]*([^\s=;]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^;"\s]*)((?:[ \t]+[^;"\s]+)*))/g

/**
 * Reads `Content-Type` or `Content-Disposition` (RFC 2045 5.1, RFC 2183 2). The first of repeated parameters counts.
 */
export function readMediaType(text: string): MediaType {
  const value = /^[^\s;]*/.exec(text)![0].toLowerCase()
  const parameters = new Map<string, string>()
  parameterForm.lastIndex = 0
  for (let count = 0; count < parametersMax; count++) {
    const match = parameterForm.exec(text)
    if (!match) break
    const name = match[1]!.toLowerCase()
    // Names with blanks lack their quotes often. Programs show the whole name.
    const bare = fileNames.has(name) ? match[3]! + match[4]! : match[3]!
    const given = match[2]?.replace(/\\(.)/g, '$1') ?? bare
    if (!parameters.has(name)) parameters.set(name, given)
  }
  return { value, parameters }
}
