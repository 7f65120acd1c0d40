import Type from 'typebox'
import { type Route, routesOf } from '../../platform/http/route.ts'
import { AnyObject, IdOf, Nullable, Resource, Strict, Text, TextEnum, Uuid } from '../../platform/http/schema/schema.ts'
import { PreviewQuery, previewType } from '../preview/show-preview.ts'
import { findMessageBytes } from './queries.ts'
import { downloadEmailAttachment, getEmailMessage, previewEmail } from './show.ts'

/** `n` is the place in `attachments`, from 0. A message of 25 MiB holds far fewer than a hundred thousand. */
export const AttachmentParams = Strict({
  id: IdOf('the email'),
  n: Type.String({
    description: 'The place of the attachment, from 0.',
    pattern: '^(0|[1-9][0-9]{0,4})$',
    maxLength: 5,
    examples: ['0'],
  }),
})

const file = {
  filename: Nullable(Type.String({ examples: ['invoice.pdf'] })),
  contentType: Type.String({ examples: ['application/pdf'] }),
  size: Type.Integer({ description: 'In bytes, decoded.' }),
}

export const FileSummary = Resource('FileSummary', file)

const PartSummary = Resource('PartSummary', {
  ...file,
  contentId: Nullable(Type.String({ description: 'Without angle brackets.', examples: ['logo'] })),
  disposition: Nullable(TextEnum('inline', 'attachment')),
})

const EmailMessage = Resource('EmailMessage', {
  messageId: Text({ description: 'The `Message-ID`, with angle brackets.' }),
  replyTo: Nullable(Type.String()),
  headers: Nullable(Type.Record(Type.String(), Type.String())),
  tags: Nullable(AnyObject({ description: 'As they were given.', examples: [{ order: '1024' }] })),
  via: TextEnum('api', 'smtp', 'broadcast', 'workflow', 'system'),
  broadcastId: Nullable(Uuid),
  executionId: Nullable(Uuid),
  attachments: Type.Array(PartSummary),
})

const route = routesOf({ access: 'send', inTest: 'apart', tag: 'Emails', command: null })

export const emailShowRoutes: Route[] = [
  route('GET /v1/emails/:id/message', 'getEmailMessage', {
    summary: 'Get how an email was sent',
    description: 'Its header fields, tags and attachments, and the request, broadcast or workflow that sent it.',
    response: EmailMessage,
    answerBytes: (app, { teamId }, id) => findMessageBytes(app.db, teamId, id),
    handle: ({ app, caller, params }) => getEmailMessage(app, caller, params.id),
  }),
  route('GET /v1/emails/:id/preview', 'previewEmail', {
    summary: 'Show an email',
    description:
      'A page for a frame, without scripts, forms and remote content, and with its inline images. It is not tracked, and the unsubscribe link of a broadcast does nothing.',
    query: PreviewQuery,
    response: Type.Unknown(),
    produces: previewType,
    answerBytes: (app, { teamId }, id) => findMessageBytes(app.db, teamId, id),
    handle: ({ app, caller, params, query, reply }) => previewEmail(app, caller, params.id, query, reply),
  }),
  route('GET /v1/emails/:id/attachments/:n', 'getEmailAttachment', {
    sdk: 'emails.attachment',
    summary: 'Download an attachment of an email',
    description: '`n` is the place in the `attachments` of `/message`, from 0.',
    params: AttachmentParams,
    response: Type.Unknown(),
    produces: 'application/octet-stream',
    answerBytes: (app, { teamId }, id) => findMessageBytes(app.db, teamId, id),
    handle: ({ app, caller, params, reply }) =>
      downloadEmailAttachment(app, caller, params.id, Number(params.n), reply),
  }),
]
