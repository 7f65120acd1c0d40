/** Recipients of one request in to, cc and bcc together. SMTP takes more; an email to more people is a broadcast. */
export const recipientsMax = 50
/** The recipients of a submitted message: the fewest that a server must accept (RFC 5321 4.5.3.1.8). */
export const submittedRecipientsMax = 100
/** Characters of a subject or another header: the longest line of RFC 5322 (2.1.1). */
export const subjectMax = 998
/** The attachments of an email together, decoded. */
export const attachmentsMaxBytes = 25 * 1024 * 1024
