/** Recipients of one request in to, cc and bcc together. SMTP takes more; an email to more people is a broadcast. */
export const recipientsMax = 50
/** Characters of a subject or another header: the longest line of RFC 5322 (2.1.1). */
export const subjectMax = 998
/** The attachments of an email together, decoded. */
export const attachmentsMaxBytes = 25 * 1024 * 1024
