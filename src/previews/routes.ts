import { isUtf8 } from 'node:buffer'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App, Caller } from '../context.ts'
import { PreviewQuery, showPreview } from '../emails/preview/show-preview.ts'
import { DomainError, invalid, invalidFields } from '../platform/errors.ts'
import { readForm, readJson, textOf } from '../platform/http/body/read-json.ts'
import { type Route, route } from '../platform/http/route.ts'
import { faultFinder } from '../platform/http/schema/validation.ts'
import { everybody } from '../teams/roles/roles.ts'
import { renderPreview } from './render.ts'
import { PreviewBody, Rendered } from './schema.ts'

export const previewRoutes: Route[] = [
  route('POST /v1/previews', 'createPreview', {
    command: null,
    access: 'full',
    roles: everybody,
    inTest: 'apart',
    changes: 'nothing',
    tag: 'Previews',
    summary: 'Render content without sending it',
    description:
      'JSON is answered by JSON. A form whose field `preview` is that JSON is answered by a page for a frame, which runs and loads nothing. Nothing is stored or tracked.',
    takes: 'bytes',
    receives: { schema: PreviewBody },
    query: PreviewQuery,
    response: Rendered,
    alsoProduces: 'text/html',
    handle: ({ app, caller, query, request, reply }) => preview(app, caller, query, request, reply),
  }),
]

async function preview(app: App, caller: Caller, query: PreviewQuery, request: FastifyRequest, reply: FastifyReply) {
  const type = (request.headers['content-type'] ?? '').toLowerCase().split(';')[0]!.trim()
  const isForm = type === 'application/x-www-form-urlencoded'
  if (!isForm && type !== 'application/json')
    throw new DomainError('unsupported', 'Send the body as JSON, or as a form whose field "preview" is that JSON.')
  const rendered = await renderPreview(app, caller, readBody(request.body, isForm))
  return isForm ? showPreview(app, reply, { ...rendered, parts: [] }, query) : rendered
}

const findFaults = faultFinder(PreviewBody)

function readBody(body: unknown, isForm: boolean): PreviewBody {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  if (!isUtf8(bytes)) throw invalid('body', 'is not UTF-8')
  const read = readJson(isForm ? fieldOf(readForm(textOf(bytes))) : bytes)
  const faults = findFaults(read)
  if (faults.length > 0) throw invalidFields(faults)
  return read as PreviewBody
}

function fieldOf({ preview, ...others }: Record<string, string>): string {
  const [stray] = Object.keys(others)
  if (stray !== undefined) throw invalid(stray.slice(0, 200), 'is not a known field; check the spelling')
  if (preview === undefined) throw invalid('preview', 'is required: the JSON of the preview')
  return preview
}
