import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { createTestApp } from '../../test/app.ts'

const posthorn = await createTestApp()
const { body: document } = await posthorn.anyone.get('/openapi.json')
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema({ $id: 'openapi', ...document })

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The changelog also names what was removed. */
const pages = globSync(['README.md', 'docs/*.md'], { cwd: root })

/** A request that a page names. `body` is the JSON behind it in the same code, or null. */
type Named = { where: string; method: string; path: string; body: string | null }

const named = pages.flatMap((page): Named[] => {
  const text = readFileSync(`${root}/${page}`, 'utf8')
  const requests = text.matchAll(/\b(GET|POST|PATCH|PUT|DELETE) (\/[^\s`'"(),;:]*[\w}])(?: (\{[^`\n]*\}))?/g)
  return [...requests].map(([whole, method, path, body]) => ({
    where: `${page}: ${whole}`,
    method: method!.toLowerCase(),
    path: path!,
    body: body ?? null,
  }))
})

/** Returns the path of the document for one that a page writes with other names, ids or a query; or null. */
function known({ method, path }: Named): string | null {
  const [bare = ''] = path.split('?')
  const paths = Object.keys(document.paths).filter((one) => method in document.paths[one])
  const isSame = (one: string) => {
    const parts = one.split('/')
    const given = bare.split('/')
    return (
      parts.length === given.length && parts.every((part, index) => part === given[index] || isId(part, given[index]))
    )
  }
  return paths.find((one) => one === bare) ?? paths.find(isSame) ?? null
}

const isId = (part: string, given: string | undefined) =>
  part.startsWith('{') && /^(\{\w+\}|\$[A-Z]+|[A-Z]+)$/.test(given!)

/** Addresses of the reader's own server. */
const isTheirs = ({ path }: Named) => path.startsWith('/hooks/')
/** Other APIs that are served here are not in the reference. */
const isOfOthers = ({ method, path }: Named) =>
  /^\/(resend|sendgrid|postmark)\//.test(path) && posthorn.server.hasRoute({ method: method.toUpperCase(), url: path })

test('each request that a document names is one of the reference', () => {
  const unknown = named.filter((one) => !isTheirs(one) && !isOfOthers(one) && known(one) === null)
  assert.deepEqual(
    unknown.map(({ where }) => where),
    [],
  )
  assert.ok(named.length > 150, String(named.length))
})

function schemaOf({ method, path }: { method: string; path: string }): ValidateFunction {
  const parts = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema']
  return ajv.getSchema(`openapi#/${parts.map((part) => encodeURIComponent(part.replaceAll('/', '~1'))).join('/')}`)!
}

/** `{"email", "role"}` names fields without their values. */
const isShort = (body: string) => /^\{(?:"\w+"(?:, )?)+\}$/.test(body)

test('the body that a document shows beside a request has the fields that the request needs', () => {
  const withBody = named.filter(({ body }) => body !== null)
  assert.ok(withBody.length >= 8, String(withBody.length))
  for (const one of withBody) {
    const validate = schemaOf({ method: one.method, path: known(one)! })
    const body = one.body!
    if (isShort(body)) {
      const { properties, required = [] } = validate.schema as { properties: object; required?: string[] }
      const fields = body.match(/\w+/g)!
      assert.deepEqual(
        [fields.filter((field) => !(field in properties)), required.filter((name) => !fields.includes(name))],
        [[], []],
        one.where,
      )
    } else assert.ok(validate(JSON.parse(body)), `${one.where}: ${ajv.errorsText(validate.errors)}`)
  }
})
