import { orNotFound } from '../../platform/errors.ts'
import { type Route, routesOf } from '../../platform/http/route.ts'
import { Deleted, ListQuery } from '../../platform/http/schema/schema.ts'
import { marketers } from '../../teams/roles/roles.ts'
import { createTemplate } from './create.ts'
import { deleteTemplate } from './delete.ts'
import { findTemplate, listTemplatesOfTeam } from './queries.ts'
import { NewTemplate, Template, TemplateChanges, TemplateList } from './schema.ts'
import { submitTemplate } from './submit.ts'
import { submitTemplateInTest } from './submit-in-test.ts'
import { updateTemplate } from './update.ts'

const route = routesOf(
  { access: 'full', inTest: 'apart', tag: 'WhatsApp templates' },
  { roles: marketers, changes: 'whatsapp/templates' },
)

export const templateRoutes: Route[] = [
  route('POST /v1/whatsapp/templates', 'createWhatsappTemplate', {
    summary: 'Create a WhatsApp template',
    description:
      'It begins as a draft. Placeholders are `{{1}}` to `{{n}}` without gaps, in any order. The name is of lowercase letters, digits and underscores, once for each language.',
    body: NewTemplate,
    response: Template,
    refusals: ['conflict'],
    refusalNames: { unprocessable: ['plan_limit_exceeded'] },
    handle: ({ app, caller, body }) => createTemplate(app, caller.teamId, body),
  }),
  route('GET /v1/whatsapp/templates', 'listWhatsappTemplates', {
    summary: 'List WhatsApp templates',
    description:
      'All templates of the team, newest first. In test mode those of both modes: a test key sends live ones, and does not change them.',
    query: ListQuery,
    response: TemplateList,
    handle: ({ app, caller, query }) => listTemplatesOfTeam(app, caller.teamId, query),
  }),
  route('GET /v1/whatsapp/templates/:id', 'getWhatsappTemplate', {
    summary: 'Get a WhatsApp template',
    response: Template,
    handle: ({ app, caller, params }) =>
      orNotFound('WhatsApp template', findTemplate(app.db, caller.teamId, params.id)),
  }),
  route('PATCH /v1/whatsapp/templates/:id', 'updateWhatsappTemplate', {
    summary: 'Edit a WhatsApp template',
    description: 'Only draft and rejected ones can be edited; a rejected one stays so until it is submitted again.',
    body: TemplateChanges,
    response: Template,
    refusals: ['conflict'],
    refusalNames: { unprocessable: ['plan_limit_exceeded'] },
    handle: ({ app, caller, params, body }) => updateTemplate(app, caller.teamId, params.id, body),
  }),
  route('DELETE /v1/whatsapp/templates/:id', 'deleteWhatsappTemplate', {
    summary: 'Delete a WhatsApp template',
    description: 'Messages sent with it keep their text and its name.',
    response: Deleted,
    handle: ({ app, caller, params }) => deleteTemplate(app, caller.teamId, params.id),
  }),
  route('POST /v1/whatsapp/templates/:id/submit', 'submitWhatsappTemplate', {
    summary: 'Submit a WhatsApp template for review',
    description:
      'A draft or rejected template becomes `submitted`, or `rejected` if the provider refuses it at once. Only approved templates can be sent. In test mode every template can be sent: no provider is asked and nothing changes.',
    response: Template,
    refusals: ['conflict', 'providerFailed'],
    handle: ({ app, caller, params }) =>
      (caller.mode === 'test' ? submitTemplateInTest : submitTemplate)(app, caller.teamId, params.id),
  }),
]
