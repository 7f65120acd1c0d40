import { orNotFound } from '../platform/errors.ts'
import { type Route, routesOf } from '../platform/http/route.ts'
import { Deleted, ListQuery } from '../platform/http/schema/schema.ts'
import { marketers } from '../teams/roles/roles.ts'
import { createTemplate } from './create.ts'
import { deleteTemplate } from './delete.ts'
import { listTemplates } from './list.ts'
import { findTemplate } from './queries.ts'
import { NewTemplate, Template, TemplateChanges, TemplateList } from './schema.ts'
import { updateTemplate } from './update.ts'

const route = routesOf(
  { access: 'full', inTest: 'apart', tag: 'Email templates' },
  { roles: marketers, changes: 'templates' },
)

export const templateRoutes: Route[] = [
  route('POST /v1/templates', 'createTemplate', {
    summary: 'Create a template',
    description:
      'The template begins as a draft. `{{name}}` stands for a value of `templateVariables`; names consist of letters, digits, `_`, `.` and `-`.',
    body: NewTemplate,
    response: Template,
    refusalNames: { unprocessable: ['plan_limit_exceeded'] },
    handle: ({ app, caller, body }) => createTemplate(app, caller.teamId, body),
  }),
  route('GET /v1/templates', 'listTemplates', {
    summary: 'List templates',
    description:
      'Newest first, without their bodies. In test mode the published ones of the team too, which a test key sends and does not change.',
    query: ListQuery,
    response: TemplateList,
    handle: ({ app, caller, query }) => listTemplates(app, caller.teamId, query),
  }),
  route('GET /v1/templates/:id', 'getTemplate', {
    summary: 'Get a template',
    response: Template,
    versioned: true,
    handle: ({ app, caller, params }) => orNotFound('template', findTemplate(app.db, caller.teamId, params.id)),
  }),
  route('PATCH /v1/templates/:id', 'updateTemplate', {
    summary: 'Change, publish or unpublish a template',
    description: '`status` `published` lets it be sent, `draft` takes it back. Emails already accepted do not change.',
    body: TemplateChanges,
    response: Template,
    versioned: true,
    refusalNames: { unprocessable: ['plan_limit_exceeded'] },
    handle: ({ app, caller, params, body, knownVersions }) =>
      updateTemplate(app, caller.teamId, params.id, body, knownVersions),
  }),
  route('DELETE /v1/templates/:id', 'deleteTemplate', {
    summary: 'Delete a template',
    description: 'Accepted and scheduled emails do not need it.',
    response: Deleted,
    handle: ({ app, caller, params }) => deleteTemplate(app, caller.teamId, params.id),
  }),
]
