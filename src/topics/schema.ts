import Type, { type Static } from 'typebox'
import { Body, IdOf, Name, Page, Resource, Strict, Timestamp, Uuid } from '../platform/http/schema/schema.ts'

/** The length is ours: people find a topic by its name. */
const GivenName = Name({ maxLength: 200, examples: ['Product news'] })

export const NewTopic = Body('NewTopic', { name: GivenName })
export type NewTopic = Static<typeof NewTopic>

export const TopicChanges = Body('TopicChanges', { name: GivenName })
export type TopicChanges = Static<typeof TopicChanges>

export const TopicContactParams = Strict({ id: IdOf('the topic'), contactId: IdOf('the contact') })

export const Topic = Resource('Topic', {
  id: Uuid,
  name: Type.String({ examples: ['Product news'] }),
  subscriberCount: Type.Integer({ description: 'Contacts that are opted in.' }),
  createdAt: Timestamp,
})

export const TopicList = Page(Topic)

export const Subscribed = Resource('TopicAdditions', {
  added: Type.Integer({ description: 'Subscribed for the first time.' }),
  reactivated: Type.Integer({ description: 'Had opted out, and are opted in again.' }),
  alreadySubscribed: Type.Integer(),
})
