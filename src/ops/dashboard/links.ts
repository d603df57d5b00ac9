/** The address of the dashboard with a code. The code stands in the fragment, which browsers send to no server. */
export const linkOf = (url: string, code: string): string => `${url}/#code=${code}`;

/** The code in the fragment of an address; null if there is none. */
export const codeIn = (fragment: string): string | null => /^#code=([\w-]+)$/.exec(fragment)?.[1] ?? null;

/** The path under which the page starts its worker. */
export const WORKER_PATH = '/dashboard-worker.js';

/** The header with the id of a command, `PAGE/NUMBER`: however often the command arrives, it is carried out once. */
export const COMMAND_ID = 'command-id';

/** The longest life of a shared link. */
export const LONGEST_SHARE_DAYS = 30;
