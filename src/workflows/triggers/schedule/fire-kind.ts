/** The job that fires a schedule; its key is the workflow's id. `due`, in its payload, is the time it waits for: its `run_at` may be a lease's end. */
export const fireKind = 'workflows.schedule'
