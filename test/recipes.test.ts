import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8')
const code = globSync('{src,dashboard/src,cli/src,sdk/src,test}/**/*.{ts,tsx}', { cwd: root }).map((path) =>
  path.replaceAll('\\', '/'),
)

/** The section of a document below a heading. */
function recipe(heading: string, document = 'CONTRIBUTING.md'): string {
  const text = read(document)
  const from = text.indexOf(`## ${heading}\n`)
  assert.notEqual(from, -1, heading)
  return text.slice(from, text.indexOf('\n## ', from + 1))
}

test('the recipe for an endpoint names each file that lists many endpoints', () => {
  const listsMany = (path: string) => new Set(read(path).match(/'(?:GET|POST|PATCH|DELETE) \/[^' ]*'/g)).size >= 30
  const lists = [...code.filter(listsMany), 'test/fixtures/endpoints.json']
  assert.ok(lists.length >= 3, String(lists))
  const text = recipe('How to add an endpoint')
  assert.deepEqual(
    lists.filter((path) => !text.includes(`\`${path}\``)),
    [],
  )
})

/** Returns the files that hold at least so many of these names, each as a text of its own or in one of these forms. */
function listing(names: string[], atLeast: number, files: string[], forms = [(name: string) => `'${name}'`]): string[] {
  return files.filter((path) => {
    const text = read(path)
    return names.filter((name) => forms.some((form) => text.includes(form(name)))).length >= atLeast
  })
}

test('the recipe for a page of the dashboard names each file that lists many pages', () => {
  const pages = [...read('dashboard/src/pages.ts').matchAll(/path: '([^']+)', title/g)].map(([, path]) => path!)
  const lists = listing(
    pages,
    pages.length / 4,
    code.filter((path) => path.startsWith('dashboard/')),
  )
  assert.deepEqual(lists, ['dashboard/src/pages.ts'])
  const text = recipe('Add a page', 'dashboard/README.md')
  assert.deepEqual(
    lists.filter((path) => !text.includes(`\`${path.replace('dashboard/', '')}\``)),
    [],
  )
})

test('the recipe for a noun names each file that lists many nouns', () => {
  const isOfOthers = (path: string) => /^src\/resend\/|^test\/|\.test\.ts$/.test(path)
  const nouns = globSync('dashboard/src/*/', { cwd: root }).map((path) => path.split(/[\\/]/)[2]!)
  const lists = listing(
    nouns,
    nouns.length / 4,
    code.filter((path) => !isOfOthers(path)),
    [
      (noun) => `'${noun}'`,
      (noun) => `path: '/${noun}'`,
      (noun) => `/${noun}/feature.ts'`,
      (noun) => `readonly ${noun} = `,
    ],
  )
  assert.ok(lists.length >= 5, String(lists))
  const text = recipe('How to add a noun')
  assert.ok(text.includes(`${lists.length} files list`), String(lists))
  assert.deepEqual(
    lists.filter((path) => !text.includes(`\`${path}\``)),
    [],
  )
})

/** For each recipe that counts files: something that was added by it, and the names by which other files know it. */
const counted = [
  {
    heading: 'Add a page',
    document: 'dashboard/README.md',
    made: 'dashboard/src/topics/show.tsx',
    names: /\/topics\/show\.tsx'|'\/topics\/:id'/,
  },
  {
    heading: 'Add a noun',
    document: 'dashboard/README.md',
    made: 'dashboard/src/topics/list.tsx',
    names: /\/topics\/list\.tsx'|path: '\/topics'|^ {2}topics: \[/m,
  },
  { heading: 'How to add a provider', made: 'src/sms/providers/twilio.ts', names: /'twilio'|\/twilio\.ts'/ },
  {
    heading: 'How to add a workflow node',
    made: 'src/workflows/nodes/suppress-email.ts',
    names: /suppress_email|suppress-email/,
  },
  {
    heading: 'How to add a workflow node',
    made: 'src/workflows/nodes/broadcast-complete.ts',
    names: /broadcast_complete|broadcast-complete/,
  },
  {
    heading: 'How to add an endpoint',
    made: 'src/broadcasts/test.ts',
    names: /testBroadcast|const BroadcastTested/,
  },
  { heading: 'How to add a command', made: 'src/cli/commands/seed.ts', names: /\/seed\.ts'/ },
]

/** `npm run generate` makes such a file. */
function isGenerated(path: string): boolean {
  return read(path).startsWith('// Made by "npm run generate"')
}

test('a recipe counts the files that a thing which was added by it is in', () => {
  for (const { heading, document, made, names } of counted) {
    // The rest of a long provider is a folder beside its file.
    const own = made.replace(/\.tsx?$/, '/')
    const isOther = (path: string) =>
      !/\.test\.ts$|\/fixtures\/|^test\//.test(path) && path !== made && !path.startsWith(own) && !isGenerated(path)
    const others = code.filter((path) => isOther(path) && names.test(read(path)))
    const text = recipe(heading, document)
    assert.match(text, new RegExp(`\\b${1 + others.length} files\\b`), `${made} is in ${[made, ...others]}`)
    for (const path of others) assert.ok(text.includes(path.split('/').at(-1)!), path)
  }
})

/** Files that name one field of contacts, and need no other. */
const forOne: Record<string, string> = {
  'src/contacts/queries.ts': 'a comment',
  'src/contacts/schema.ts': 'an example',
  'dashboard/src/contacts/csv/columns.ts': 'headings of other programs',
  'src/resend/broadcast-text.ts': 'the placeholders of Resend',
  'src/resend/contacts.ts': 'the fields of Resend',
}

test('the recipe for a field of contacts names each file that names the fields', () => {
  const isOurs = (path: string) => !/\.test\.ts$|\/fixtures\/|^test\//.test(path) && !(path in forOne)
  const naming = code.filter((path) => isOurs(path) && /\b(lastName|last_name)\b/.test(read(path)))
  assert.ok(naming.length >= 2, String(naming))
  const text = recipe('How to add a field to contacts')
  assert.deepEqual(
    naming.filter((path) => !text.includes(`\`${path}\``)),
    [],
  )
})

test('each file that the steps of that recipe name has a place for the field', () => {
  const steps = recipe('How to add a field to contacts').match(/^(\d\. | {3}).*/gm)!
  const named = [...steps.join('\n').matchAll(/`((?:[\w.-]+\/)+[\w.-]+)`/g)].map(([, path]) => path!)
  assert.ok(named.length >= 2, String(named))
  assert.deepEqual(
    named.filter((path) => !/\b(lastName|last_name)\b/.test(read(path))),
    [],
  )
})

test('every file that the documents for contributors name exists', () => {
  /** Names of files that a reader of the recipes makes. */
  const made = /renew|example|add-tag|NNNN_what|src\/emails\/mailbox\.test\.ts/
  /** A path may begin in any folder, since a sentence says which one it is about. */
  const exists = (path: string) => existsSync(`${root}/${path}`) || code.some((file) => file.endsWith(`/${path}`))
  const documents = ['CONTRIBUTING.md', 'ARCHITECTURE.md', 'dashboard/README.md', 'cli/README.md']
  const missing = documents.flatMap((document) => {
    const named = [...read(document).matchAll(/`((?:[\w.-]+\/)+[\w-]+\.(?:tsx?|json|md|sql|yaml))`/g)].map(
      ([, path]) => path!,
    )
    const wrong = named.filter((path) => !made.test(path) && !exists(path))
    return wrong.map((path) => `${document}: ${path}`)
  })
  assert.deepEqual(missing, [])
})
