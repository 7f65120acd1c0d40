/** The commands of the server's own machine. They are in `src/cli/`, which is not loaded here; a test holds the two together. */
export const localNames = [
  ...['serve', 'migrate', 'team list', 'team create', 'team set-plan', 'team set-limits', 'user create', 'user list'],
  ...['user reset-link', 'billing verify', 'contacts import', 'jobs list', 'jobs show', 'jobs retry', 'jobs discard'],
  ...['sms assign-number', 'sms release-number', 'sms suspend-sender', 'sms resume-sender', 'whatsapp assign-number'],
  ...['whatsapp release-number', 'whatsapp suspend-sender', 'whatsapp resume-sender', 'dashboard build'],
  ...['secrets rotate', 'seed'],
]
