import Type from 'typebox'
import { orNotFound } from '../platform/errors.ts'
import type { Blocks } from '../platform/feature.ts'
import { type Route, routesOf } from '../platform/http/route.ts'
import { ListQuery } from '../platform/http/schema/schema.ts'
import { refuseEndedRights } from '../platform/http/still-admitted.ts'
import { admins } from '../teams/roles/roles.ts'
import { createPrivacyRequest } from './create.ts'
import { findPartBytes } from './export-parts.ts'
import { openExportFile } from './file.ts'
import { listPrivacyRequests } from './list.ts'
import { findPrivacyRequest } from './queries.ts'
import { NewPrivacyRequest, PrivacyRequest, PrivacyRequestPage } from './schema.ts'

const about =
  'Send either `email` or `phoneNumber`; the contact that has it is taken with both its addresses. `erase` blocks the addresses at once, also unknown ones, and keeps only a keyed hash of them. It then removes the contact and its traces in messages, events, executions, inbox, request log and payloads of webhooks. In emails to others too, `erased` takes the place of the address, and the bodies are removed; so it does in contacts of others, broadcasts, templates, segments and workflows. A team may have 1,000 requests under way; a further one is 429.'

const route = routesOf({ access: 'user', tag: 'Privacy' })

export function privacyRoutes(blocks: Blocks[]): Route[] {
  return [
    route('POST /v1/privacy/requests', 'createPrivacyRequest', {
      roles: admins,
      changes: 'privacy/requests',
      asksAgain: 'for an `export`',
      summary: 'Export or erase a person',
      description: about,
      body: NewPrivacyRequest,
      response: PrivacyRequest,
      handle: ({ app, caller, body }) => createPrivacyRequest(app, blocks, caller, body),
    }),
    route('GET /v1/privacy/requests', 'listPrivacyRequests', {
      roles: admins,
      summary: 'List privacy requests',
      description:
        'For owners and admins. Newest first, without the person’s address, which is removed when a request ends.',
      query: ListQuery,
      response: PrivacyRequestPage,
      handle: ({ app, caller, query }) => listPrivacyRequests(app, caller.teamId, query),
    }),
    route('GET /v1/privacy/requests/:id', 'getPrivacyRequest', {
      roles: admins,
      summary: 'Get a privacy request',
      response: PrivacyRequest,
      handle: ({ app, caller, params }) =>
        orNotFound('privacy request', findPrivacyRequest(app.db, caller.teamId, params.id)),
    }),
    route('GET /v1/privacy/requests/:id/file', 'getPrivacyFile', {
      roles: admins,
      summary: 'Download an export',
      description:
        'A zip file with one JSON file for each kind of row, as the API shows it, for 24 hours after the end of the export. Other recipients read `[another recipient]`.',
      response: Type.Unknown(),
      produces: 'application/zip',
      answerBytes: (app, caller, id) => findPartBytes(app.db, caller.teamId, id),
      refusalNames: { conflict: ['export_unreadable'] },
      async handle({ app, caller, params, reply }) {
        const file = await openExportFile(app, caller.teamId, params.id, () => refuseEndedRights(reply))
        return reply
          .header('content-disposition', 'attachment; filename="export.zip"')
          .type('application/zip')
          .send(file)
      },
    }),
  ]
}
