/**
 * The ids that the emails of a broadcast share. `audienceId` is that of the topic, or of the segment if there is no
 * topic.
 */
type Mailing = { teamId: string; broadcastId: string; audienceId: string; domainName: string }

/**
 * Returns the fields that say to which list a broadcast goes. Both ids are the same for all broadcasts to one audience.
 *
 * `List-Id` (RFC 2919) has no phrase, because names of segments are not for recipients. `Feedback-ID` is that of
 * Gmail's feedback loop: up to three identifiers, then one of 5 to 15 characters that stays the same for a sender.
 */
export function listHeaders({ teamId, broadcastId, audienceId, domainName }: Mailing): Record<string, string> {
  return {
    'List-Id': `<${audienceId}.${domainName}>`,
    'Feedback-ID': `${broadcastId}:${audienceId}:broadcast:${senderId(teamId)}`,
  }
}

/** Returns the last group of the team's id: 12 digits, which are random and the same in both modes. */
function senderId(teamId: string): string {
  return teamId.slice(-12)
}
