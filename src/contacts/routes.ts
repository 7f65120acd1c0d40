import { orNotFound } from '../platform/errors.ts'
import { type Route, route } from '../platform/http/route.ts'
import { Deleted, IdParams } from '../platform/http/schema.ts'
import { createContact } from './create.ts'
import { deleteContact } from './delete.ts'
import { textNames } from './fields.ts'
import { importContacts } from './import/import.ts'
import { listContacts } from './list.ts'
import { findWholeContact } from './memberships.ts'
import {
  Contact,
  ContactChanges,
  ContactPage,
  ContactQuery,
  Import,
  ImportResult,
  NewContact,
  rowsMax,
} from './schema.ts'
import { updateContact } from './update.ts'

const tag = 'Contacts'
const importLimitBytes = 10 * 1024 * 1024
/** Each row has its text fields, `email` and `unsubscribed`. The body itself has two fields. */
const importMembersMax = rowsMax * (1 + textNames.length + 2) + 2
/** The 64 KiB of `properties` can hold a list of 32,768 elements of one digit. */
const contactMembersMax = 33_000

export const contactRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/v1/contacts',
    access: 'full',
    tag,
    summary: 'Create a contact',
    body: NewContact,
    response: Contact,
    membersMax: contactMembersMax,
    refusals: ['conflict', 'unprocessable'],
    handle: ({ app, caller, body }) => createContact(app, caller.teamId, body),
  }),
  route({
    method: 'GET',
    path: '/v1/contacts',
    access: 'full',
    tag,
    summary: 'List contacts',
    description: 'Newest first. `search` looks in the address, the first and the last name.',
    query: ContactQuery,
    response: ContactPage,
    handle: ({ app, caller, query }) => listContacts(app, caller.teamId, query),
  }),
  route({
    method: 'POST',
    path: '/v1/contacts/import',
    access: 'full',
    tag,
    summary: 'Import contacts',
    description:
      'Creates contacts and updates existing ones, matched by address. An invalid row is skipped and named in `errors`. If several rows have one address, the last one counts, but an opt-out in any of them counts too. Fields that a row leaves out do not change. The request may be repeated.',
    body: Import,
    response: ImportResult,
    bodyLimitBytes: importLimitBytes,
    membersMax: importMembersMax,
    refusals: ['unprocessable'],
    handle: ({ app, caller, body }) => importContacts(app, caller.teamId, body),
  }),
  route({
    method: 'GET',
    path: '/v1/contacts/:id',
    access: 'full',
    tag,
    summary: 'Get a contact',
    params: IdParams,
    response: Contact,
    handle: ({ app, caller, params }) => orNotFound('contact', findWholeContact(app.db, caller.teamId, params.id)),
  }),
  route({
    method: 'PATCH',
    path: '/v1/contacts/:id',
    access: 'full',
    tag,
    summary: 'Change a contact',
    description:
      'Fields that are left out do not change. `properties` replaces all properties. An opt-out also blocks the address: see the suppressions.',
    params: IdParams,
    body: ContactChanges,
    response: Contact,
    membersMax: contactMembersMax,
    refusals: ['unprocessable'],
    handle: ({ app, caller, params, body }) => updateContact(app, caller.teamId, params.id, body),
  }),
  route({
    method: 'DELETE',
    path: '/v1/contacts/:id',
    access: 'full',
    tag,
    summary: 'Delete a contact',
    description: 'It leaves its segments and topics. A blocked address stays blocked.',
    params: IdParams,
    response: Deleted,
    handle: ({ app, caller, params }) => deleteContact(app, caller.teamId, params.id),
  }),
]
