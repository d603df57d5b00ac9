import { browserTime, tabName } from './browser-time.ts';
import { untilAnswered } from './until-answered.ts';

/** An answer of the daemon. */
export interface HttpAnswer {
  readonly status: number;
  readonly ok: boolean;
  readonly body: unknown;
}

export interface Patience {
  /** After this time the request is not sent again; default: it is repeated until it is answered. */
  readonly giveUpMs?: number | undefined;
  /** Learns how often the request was sent. */
  readonly onSent?: ((times: number) => void) | undefined;
}

const PAGE = tabName();
let commands = 0;

/** The id of the next command of this page. */
export const nextId = (): string => `${PAGE}/${++commands}`;

/** The answer to a request, which is sent until there is one. Rejects with the last failure if the time is up. */
export const answerTo = (path: string, init: RequestInit, patience: Patience = {}): Promise<HttpAnswer> =>
  untilAnswered({ ...patience, time: browserTime, attempt: (signal) => answerOnce(path, init, signal) });

const answerOnce = async (path: string, init: RequestInit, signal: AbortSignal): Promise<HttpAnswer> =>
  answerIn(await fetch(path, { ...init, signal }));

/** Rejects where a response is no answer: a failure of the daemon, or of a proxy before it. */
export async function answerIn(response: Response): Promise<HttpAnswer> {
  const body: unknown = await response.json();
  if (response.status >= 500) throw new Error(`the daemon failed (${response.status})`);
  return { status: response.status, ok: response.ok, body };
}
