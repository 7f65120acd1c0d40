import Type from 'typebox'
import { orNotFound } from '../platform/errors.ts'
import { type Route, routesOf } from '../platform/http/route.ts'
import { Deleted } from '../platform/http/schema/schema.ts'
import { marketers } from '../teams/roles/roles.ts'
import { countContacts } from './count.ts'
import { createContact } from './create.ts'
import { deleteContact } from './delete.ts'
import { exportContacts } from './export.ts'
import { bodyMaxBytes, importMembersMax } from './import/bounds.ts'
import { importContacts } from './import/import.ts'
import { listContacts } from './list.ts'
import { findWholeContact } from './memberships/memberships.ts'
import {
  Contact,
  ContactChanges,
  ContactCount,
  ContactExportQuery,
  ContactPage,
  ContactQuery,
  Import,
  ImportResult,
  NewContact,
} from './schema.ts'
import { updateContact } from './update.ts'

const route = routesOf({ access: 'full', inTest: 'apart', tag: 'Contacts' }, { roles: marketers, changes: 'contacts' })

/** The 64 KiB of `properties` can hold a list of 32,768 elements of one digit. */
const contactMembersMax = 33_000

export const contactRoutes: Route[] = [
  route('POST /v1/contacts', 'createContact', {
    command: 'contacts add',
    summary: 'Create a contact',
    body: NewContact,
    response: Contact,
    membersMax: contactMembersMax,
    refusals: ['conflict'],
    refusalNames: { unprocessable: ['plan_limit_exceeded'] },
    handle: ({ app, caller, body }) => createContact(app, caller.teamId, body),
  }),
  route('GET /v1/contacts', 'listContacts', {
    summary: 'List contacts',
    description:
      'Newest first. `search` looks in the address, the first and the last name. All filters apply together.',
    query: ContactQuery,
    response: ContactPage,
    handle: ({ app, caller, query }) => listContacts(app, caller.teamId, query),
  }),
  route('GET /v1/contacts/count', 'countContacts', {
    sdk: 'contacts.count',
    summary: 'Count contacts',
    response: ContactCount,
    handle: ({ app, caller }) => countContacts(app.db, caller.teamId),
  }),
  route('GET /v1/contacts/export', 'exportContacts', {
    sdk: 'contacts.export',
    summary: 'Export contacts',
    description:
      'A CSV file, newest first, with `properties` as JSON. It takes the filters of the list. An apostrophe stands before a cell that a spreadsheet would run as a formula; an import of the file removes it.',
    query: ContactExportQuery,
    response: Type.String(),
    produces: 'text/csv',
    handle: ({ app, caller, query, reply }) => exportContacts(app, caller.teamId, query, reply),
  }),
  route('POST /v1/contacts/import', 'importContacts', {
    sdk: 'contacts.import',
    command: null,
    summary: 'Import contacts',
    description:
      'Creates contacts and updates existing ones, matched by address. An invalid row is skipped and named in `errors`. If several rows have one address, the last one counts, but an opt-out in any of them counts too. Fields that a row leaves out do not change, and `properties` join those that the contact has. The request may be repeated; without an `Idempotency-Key`, a repeat counts what the first request did as skipped.',
    body: Import,
    response: ImportResult,
    bodyLimitBytes: bodyMaxBytes,
    membersMax: importMembersMax,
    idempotent: true,
    refusals: ['conflict'],
    refusalNames: { unprocessable: ['plan_limit_exceeded'] },
    handle: ({ app, caller, body, idempotencyKey }) => importContacts(app, caller.teamId, body, idempotencyKey),
  }),
  route('GET /v1/contacts/:id', 'getContact', {
    summary: 'Get a contact',
    response: Contact,
    handle: ({ app, caller, params }) => orNotFound('contact', findWholeContact(app.db, caller.teamId, params.id)),
  }),
  route('PATCH /v1/contacts/:id', 'updateContact', {
    summary: 'Change a contact',
    description:
      'Fields that are left out do not change. `properties` replaces all properties. `unsubscribed` is about broadcasts, and blocks no address: for that see the suppressions.',
    body: ContactChanges,
    response: Contact,
    membersMax: contactMembersMax,
    refusalNames: { unprocessable: ['plan_limit_exceeded'] },
    handle: ({ app, caller, params, body }) => updateContact(app, caller.teamId, params.id, body),
  }),
  route('DELETE /v1/contacts/:id', 'deleteContact', {
    summary: 'Delete a contact',
    description: 'It leaves its segments and topics. A blocked address stays blocked.',
    response: Deleted,
    handle: ({ app, caller, params }) => deleteContact(app, caller.teamId, params.id),
  }),
]
