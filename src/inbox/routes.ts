import Type from 'typebox'
import { PreviewQuery, previewType } from '../emails/preview/show-preview.ts'
import { AttachmentParams } from '../emails/show/routes.ts'
import { type Route, routesOf } from '../platform/http/route.ts'
import { Deleted } from '../platform/http/schema/schema.ts'
import { developers } from '../teams/roles/roles.ts'
import { deleteInboxMessage } from './delete.ts'
import { emptyInbox } from './empty.ts'
import { getInboxMessage } from './get.ts'
import { listInbox } from './list.ts'
import { findInboxBytes } from './queries.ts'
import { Emptied, InboxMessage, InboxPage, InboxQuery } from './schema.ts'
import { downloadInboxAttachment, previewInboxMessage } from './show.ts'

const route = routesOf({ access: 'full', inTest: 'apart', tag: 'Inbox' }, { roles: developers, changes: 'inbox' })

export const inboxRoutes: Route[] = [
  route('GET /v1/inbox', 'listInbox', {
    summary: 'List captured emails',
    description: 'The messages that the `capture` provider kept, newest first. `search` looks in subject, from and to.',
    query: InboxQuery,
    response: InboxPage,
    handle: ({ app, caller, query }) => listInbox(app, caller, query),
  }),
  route('GET /v1/inbox/:id', 'getInboxMessage', {
    command: null,
    summary: 'Get a captured email',
    description: 'With `Accept: message/rfc822` the answer is the raw message, byte for byte as it was handed over.',
    response: InboxMessage,
    alsoProduces: 'message/rfc822',
    answerBytes: (app, { teamId }, id) => findInboxBytes(app.db, teamId, id),
    handle: ({ app, caller, params, request, reply }) => getInboxMessage(app, caller, params.id, request, reply),
  }),
  route('GET /v1/inbox/:id/preview', 'previewInboxMessage', {
    command: null,
    summary: 'Show a captured email',
    description:
      'A page for a frame, without scripts, forms and remote content, and with its inline images. Neither the page nor its links are tracked.',
    query: PreviewQuery,
    response: Type.Unknown(),
    produces: previewType,
    answerBytes: (app, { teamId }, id) => findInboxBytes(app.db, teamId, id),
    handle: ({ app, caller, params, query, reply }) => previewInboxMessage(app, caller, params.id, query, reply),
  }),
  route('GET /v1/inbox/:id/attachments/:n', 'getInboxAttachment', {
    sdk: 'inbox.attachment',
    command: null,
    summary: 'Download an attachment of a captured email',
    description: '`n` is the place in the `attachments` of the email, from 0.',
    params: AttachmentParams,
    response: Type.Unknown(),
    produces: 'application/octet-stream',
    answerBytes: (app, { teamId }, id) => findInboxBytes(app.db, teamId, id),
    handle: ({ app, caller, params, reply }) =>
      downloadInboxAttachment(app, caller, params.id, Number(params.n), reply),
  }),
  route('DELETE /v1/inbox/:id', 'deleteInboxMessage', {
    summary: 'Delete a captured email',
    description: 'The email itself stays in the list of emails. This cannot be undone.',
    response: Deleted,
    handle: ({ app, caller, params }) => deleteInboxMessage(app, caller, params.id),
  }),
  route('DELETE /v1/inbox', 'clearInbox', {
    summary: 'Empty the inbox',
    description: 'Deletes all messages captured for the team, in every channel. This cannot be undone.',
    response: Emptied,
    handle: ({ app, caller }) => emptyInbox(app, caller),
  }),
]
