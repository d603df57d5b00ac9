import type { Answer } from '../adapters/commands.ts';
import type { Shown } from './stream/view.ts';
import { SAID_MS, timed } from './use-said.ts';

/** A command of the bar by its path, what it did in a word, and the states of the account that it leads to; null: any. */
const COMMANDS = {
  '/pause': { done: 'paused', states: ['halted', 'killed'] },
  '/kill': { done: 'KILLED', states: ['killed'] },
  '/resume': { done: 'resumed', states: ['active', 'reducing'] },
  '/close': { done: 'orders are being closed', states: null },
} as const;

export type CommandPath = keyof typeof COMMANDS;

/** The daemon's answer to a command, and when it came, on the daemon's clock. */
export interface Answered {
  readonly path: CommandPath;
  readonly answer: Answer;
  readonly atMs: number;
}

/** The state that an answer tells is shown within this time. */
const SHOWN_WITHIN_MS = 2_000;

const nameOf = (path: CommandPath): string => path.slice(1).toUpperCase();

/** What a command waits for that nobody has answered yet. */
export const sentInWords = (path: CommandPath, times: number): string =>
  times === 1 ? 'sent …' : `${nameOf(path)}: no answer yet, sent ${times} times …`;

/**
 * The effect of a command, as the daemon tells it, with its time. Null once it is no longer so: after a minute, when the account is in another state,
 * or when a failed command has been done all the same.
 */
export function answerInWords(answered: Answered, shown: Shown): string | null {
  const { path, answer, atMs } = answered;
  if (shown.atMs - atMs >= SAID_MS) return null;
  const why = answer.done ? refusalIn(answered) : answer.why;
  const isAsTold = leadsTo(path, shown) === (why === null);
  if (COMMANDS[path].states !== null && !isAsTold && shown.view.atMs - atMs > SHOWN_WITHIN_MS) return null;
  return timed(why === null ? doneInWords(answered, shown) : `${nameOf(path)} FAILED: ${why}`, atMs);
}

const leadsTo = (path: CommandPath, { run }: Shown): boolean =>
  (COMMANDS[path].states as readonly string[] | null)?.includes(run.trading.state) === true;

interface Effect {
  readonly openOrders?: number | null;
  readonly killed?: object | null;
}

const effectIn = ({ answer }: Answered): Effect => (answer.done ? (answer.body as Effect) : {});

/** Why a command that was taken did not do what it is for. */
const refusalIn = (answered: Answered): string | null =>
  answered.path === '/resume' && (effectIn(answered).killed ?? null) !== null
    ? 'the kill switch is still set'
    : null;

function doneInWords(answered: Answered, { view, quoting }: Shown): string {
  const { path, atMs } = answered;
  const { done } = COMMANDS[path];
  const { openOrders } = effectIn(answered);
  if (path === '/resume' || typeof openOrders !== 'number') return done;
  return `${done}: ${closesInWords(view.atMs > atMs ? quoting.ordersOpen : openOrders)}`;
}

/** The daemon answers at once. Its closes follow. */
const closesInWords = (openOrders: number): string => {
  if (openOrders === 0) return 'no order is open';
  return openOrders === 1 ? 'the open order is being closed' : `${openOrders} orders are being closed`;
};
