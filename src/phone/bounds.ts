/** The longest name of a sender. The length is our choice: people find a sender by its name. */
export const senderNameMax = 200
