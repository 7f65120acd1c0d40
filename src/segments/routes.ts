import { ContactIds, contactIdsMembersMax } from '../audience/contact-ids.ts'
import { orNotFound } from '../platform/errors.ts'
import { type Route, routesOf } from '../platform/http/route.ts'
import { Deleted, ListQuery } from '../platform/http/schema/schema.ts'
import { marketers } from '../teams/roles/roles.ts'
import { addNamedContacts } from './add-contacts.ts'
import { createSegment, deleteSegment, findSegment, listSegments, updateSegment } from './group.ts'
import { removeContact } from './remove-contact.ts'
import { AddedToSegment, NewSegment, Segment, SegmentChanges, SegmentContactParams, SegmentList } from './schema.ts'

const route = routesOf({ access: 'full', inTest: 'apart', tag: 'Segments' }, { roles: marketers, changes: 'segments' })

export const segmentRoutes: Route[] = [
  route('POST /v1/segments', 'createSegment', {
    summary: 'Create a segment',
    description: 'A group of contacts that broadcasts go to. Two may have the same name.',
    body: NewSegment,
    response: Segment,
    status: 201,
    handle: ({ app, caller, body }) => createSegment(app, caller.teamId, body),
  }),
  route('GET /v1/segments', 'listSegments', {
    summary: 'List segments',
    description: 'Newest first.',
    query: ListQuery,
    response: SegmentList,
    handle: ({ app, caller, query }) => listSegments(app, caller.teamId, query),
  }),
  route('GET /v1/segments/:id', 'getSegment', {
    summary: 'Get a segment',
    response: Segment,
    handle: ({ app, caller, params }) => orNotFound('segment', findSegment(app.db, caller.teamId, params.id)),
  }),
  route('PATCH /v1/segments/:id', 'updateSegment', {
    summary: 'Rename a segment',
    body: SegmentChanges,
    response: Segment,
    handle: ({ app, caller, params, body }) => updateSegment(app, caller.teamId, params.id, body),
  }),
  route('DELETE /v1/segments/:id', 'deleteSegment', {
    summary: 'Delete a segment',
    description: 'Its contacts stay. Not while a broadcast to it is scheduled, queued or being sent.',
    response: Deleted,
    refusals: ['conflict'],
    handle: ({ app, caller, params }) => deleteSegment(app, caller.teamId, params.id),
  }),
  route('POST /v1/segments/:id/contacts', 'addContactsToSegment', {
    sdk: 'segments.addContacts',
    summary: 'Add contacts to a segment',
    description: 'Adds all contacts or none: an id that is not a contact of the team is refused.',
    body: ContactIds,
    membersMax: contactIdsMembersMax,
    response: AddedToSegment,
    handle: ({ app, caller, params, body }) =>
      addNamedContacts(app, { teamId: caller.teamId, segmentId: params.id, contactIds: body.contactIds }),
  }),
  route('DELETE /v1/segments/:id/contacts/:contactId', 'removeContactFromSegment', {
    sdk: 'segments.removeContact',
    summary: 'Take a contact out of a segment',
    description: 'The contact itself stays. Answers with its id.',
    params: SegmentContactParams,
    response: Deleted,
    handle: ({ app, caller, params }) => removeContact(app, caller.teamId, params.id, params.contactId),
  }),
]
