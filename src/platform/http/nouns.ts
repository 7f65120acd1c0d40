/** The nouns of the API, as in the paths of their lists. Routes and events name them as what they change. */
export type Noun =
  | 'api-keys'
  | 'billing'
  | 'broadcasts'
  | 'contacts'
  | 'credentials'
  | 'domains'
  | 'emails'
  | 'inbox'
  | 'privacy/requests'
  | 'segments'
  | 'suppressions'
  | 'templates'
  | 'topics'
  | 'webhooks'
  | 'workflows'
  | `sms${'' | '/opt-outs' | '/senders'}`
  | `team${'' | '/invitations' | '/members' | '/retention'}`
  | `whatsapp/${'conversations' | 'messages' | 'senders' | 'templates'}`
