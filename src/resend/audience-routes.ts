import type { Route } from '../platform/http/route.ts'
import {
  AudienceContactBody,
  ContactChangesBody,
  createContactOfSegment,
  createTheirContact,
  deleteTheirContact,
  getTheirContact,
  listTheirContacts,
  NewContactBody,
  updateTheirContact,
} from './contacts.ts'
import { PageQuery } from './pages.ts'
import { like } from './route-like.ts'
import {
  addToTheirSegment,
  createTheirSegment,
  deleteTheirSegment,
  getTheirSegment,
  listSegmentsOfContact,
  listTheirSegments,
  removeFromTheirSegment,
  SegmentBody,
  updateTheirSegment,
} from './segments.ts'
import {
  addTheirSuppression,
  addTheirSuppressions,
  BatchAddBody,
  BatchRemoveBody,
  deleteTheirSuppression,
  deleteTheirSuppressions,
  getTheirSuppression,
  listTheirSuppressions,
  SuppressionBody,
  SuppressionQuery,
} from './suppressions.ts'
import {
  createTheirTopic,
  deleteTheirTopic,
  getTheirTopic,
  listTheirTopics,
  listTopicsOfContact,
  NewTopicBody,
  Subscriptions,
  TopicChangesBody,
  updateTheirTopic,
  updateTopicsOfContact,
} from './topics.ts'

const page = { query: PageQuery }

/** The persons that mail goes to: contacts, segments, which were audiences before, topics and suppressions. */
export const audienceRoutes: Route[] = [
  like('createContact', 'POST', '/contacts', createTheirContact, {
    body: NewContactBody,
    status: 201,
  }),
  like('listContacts', 'GET', '/contacts', listTheirContacts, page),
  ...['/contacts/:contact', '/audiences/:audienceId/contacts/:contact'].flatMap((path) => [
    like('getContact', 'GET', path, getTheirContact),
    like('updateContact', 'PATCH', path, updateTheirContact, { body: ContactChangesBody }),
    like('deleteContact', 'DELETE', path, deleteTheirContact),
  ]),
  like('listSegments', 'GET', '/contacts/:contact/segments', listSegmentsOfContact, page),
  like('addContactsToSegment', 'POST', '/contacts/:contact/segments/:segmentId', addToTheirSegment),
  like('removeContactFromSegment', 'DELETE', '/contacts/:contact/segments/:segmentId', removeFromTheirSegment),
  like('listTopics', 'GET', '/contacts/:contact/topics', listTopicsOfContact, page),
  like('addContactsToTopic', 'PATCH', '/contacts/:contact/topics', updateTopicsOfContact, { body: Subscriptions }),

  ...['/segments', '/audiences'].flatMap((path) => [
    like('createSegment', 'POST', path, createTheirSegment, {
      body: SegmentBody,
      status: 201,
    }),
    like('listSegments', 'GET', path, listTheirSegments, page),
    like('getSegment', 'GET', `${path}/:id`, getTheirSegment),
    like('updateSegment', 'PATCH', `${path}/:id`, updateTheirSegment, { body: SegmentBody }),
    like('deleteSegment', 'DELETE', `${path}/:id`, deleteTheirSegment),
    like('listContacts', 'GET', `${path}/:id/contacts`, listTheirContacts, page),
    like('createContact', 'POST', `${path}/:id/contacts`, createContactOfSegment, {
      body: AudienceContactBody,
      status: 201,
    }),
  ]),

  like('createTopic', 'POST', '/topics', createTheirTopic, {
    body: NewTopicBody,
    status: 201,
  }),
  like('listTopics', 'GET', '/topics', listTheirTopics, page),
  like('getTopic', 'GET', '/topics/:id', getTheirTopic),
  like('updateTopic', 'PATCH', '/topics/:id', updateTheirTopic, {
    body: TopicChangesBody,
  }),
  like('deleteTopic', 'DELETE', '/topics/:id', deleteTheirTopic),

  like('createSuppression', 'POST', '/suppressions', addTheirSuppression, {
    body: SuppressionBody,
    status: 201,
  }),
  like('createSuppression', 'POST', '/suppressions/batch/add', addTheirSuppressions, {
    body: BatchAddBody,
    status: 201,
  }),
  like('deleteSuppression', 'POST', '/suppressions/batch/remove', deleteTheirSuppressions, { body: BatchRemoveBody }),
  like('listSuppressions', 'GET', '/suppressions', listTheirSuppressions, { query: SuppressionQuery }),
  like('getSuppression', 'GET', '/suppressions/:suppression', getTheirSuppression),
  like('deleteSuppression', 'DELETE', '/suppressions/:suppression', deleteTheirSuppression),
]
