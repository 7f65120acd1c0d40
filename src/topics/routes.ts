import { ContactIds, contactIdsMembersMax } from '../audience/contact-ids.ts'
import { orNotFound } from '../platform/errors.ts'
import { type Route, routesOf } from '../platform/http/route.ts'
import { Deleted, ListQuery } from '../platform/http/schema/schema.ts'
import { marketers } from '../teams/roles/roles.ts'
import { createTopic, deleteTopic, findTopic, listTopics, updateTopic } from './group.ts'
import { optOut } from './opt-out.ts'
import { NewTopic, Subscribed, Topic, TopicChanges, TopicContactParams, TopicList } from './schema.ts'
import { subscribeContacts } from './subscribe.ts'

const route = routesOf({ access: 'full', inTest: 'apart', tag: 'Topics' }, { roles: marketers, changes: 'topics' })

export const topicRoutes: Route[] = [
  route('POST /v1/topics', 'createTopic', {
    summary: 'Create a topic',
    description:
      'What a contact may want to hear about. A broadcast with a topic goes only to contacts that are opted in to it.',
    body: NewTopic,
    response: Topic,
    status: 201,
    handle: ({ app, caller, body }) => createTopic(app, caller.teamId, body),
  }),
  route('GET /v1/topics', 'listTopics', {
    summary: 'List topics',
    description: 'Newest first.',
    query: ListQuery,
    response: TopicList,
    handle: ({ app, caller, query }) => listTopics(app, caller.teamId, query),
  }),
  route('GET /v1/topics/:id', 'getTopic', {
    summary: 'Get a topic',
    response: Topic,
    handle: ({ app, caller, params }) => orNotFound('topic', findTopic(app.db, caller.teamId, params.id)),
  }),
  route('PATCH /v1/topics/:id', 'updateTopic', {
    summary: 'Rename a topic',
    body: TopicChanges,
    response: Topic,
    handle: ({ app, caller, params, body }) => updateTopic(app, caller.teamId, params.id, body),
  }),
  route('DELETE /v1/topics/:id', 'deleteTopic', {
    summary: 'Delete a topic',
    description: 'With all its subscriptions. Not while a broadcast about it is scheduled, queued or being sent.',
    response: Deleted,
    refusals: ['conflict'],
    handle: ({ app, caller, params }) => deleteTopic(app, caller.teamId, params.id),
  }),
  route('POST /v1/topics/:id/contacts', 'addContactsToTopic', {
    sdk: 'topics.addContacts',
    summary: 'Opt contacts in to a topic',
    description:
      'Those that had opted out are opted in again. All or none: an id that is not a contact of the team is refused, and then nobody is.',
    body: ContactIds,
    membersMax: contactIdsMembersMax,
    response: Subscribed,
    handle: ({ app, caller, params, body }) => subscribeContacts(app, caller.teamId, params.id, body.contactIds),
  }),
  route('DELETE /v1/topics/:id/contacts/:contactId', 'removeContactFromTopic', {
    sdk: 'topics.removeContact',
    summary: 'Opt a contact out of a topic',
    description: 'That it opted out is kept. Answers with its id.',
    params: TopicContactParams,
    response: Deleted,
    handle: ({ app, caller, params }) => optOut(app, caller.teamId, params.id, params.contactId),
  }),
]
