/** The job of an execution under way; its key is the execution's id. There is one for each that is running or waiting. */
export const runKind = 'workflows.run'
/** The same job while nothing can be done: a delay, or the pause before an attempt. It costs nothing until its time. */
export const parkedKind = 'workflows.parked'
