import { z } from 'zod';
import { TouchlineError, TransportError } from '../../domain/errors.ts';
import { toMicros } from '../../domain/money.ts';
import type { DepositWish } from '../../ops/commands/controls.ts';
import { type Clock, sleep } from '../../ports/clock.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { randomIds } from '../adapters/this-machine.ts';
import { ADMIN_COMMAND } from '../admin/audit.ts';
import type { Config } from '../config/load.ts';
import { MoneyRecords } from '../history/money-records.ts';
import { mustExist } from '../journal/account-files.ts';
import { mustBeOfMode } from '../journal/journal-mode.ts';
import { openForCommand } from '../journal/open-journal.ts';
import { clientOf, type Operation, operator } from './daemon.ts';
import { holderIn } from './holder.ts';

const amounts = z.object({
  atMs: z.number(),
  sinceMs: z.number().nullable(),
  balance: z.number(),
  change: z.number(),
  settled: z.number(),
  commission: z.number(),
  deposits: z.number(),
  residual: z.number(),
});

const report = z.object({
  pending: z.boolean(),
  why: z.string().nullable(),
  last: amounts.nullable(),
});

/** A comparison of the balance with results and deposits, as the daemon reports it. Amounts in USDT. */
export type ReconcileReport = z.infer<typeof report>;

const RECONCILE = {
  path: '/reconcile',
  shape: (body: unknown): body is ReconcileReport => report.safeParse(body).success,
};

const DEPOSIT = {
  path: '/deposit',
  shape: (body: unknown): body is DepositWish => z.object({ amountUsdt: z.number() }).safeParse(body).success,
};

const LOOK_EVERY_MS = 1_000;

/**
 * Has the daemon reconcile, and waits for the result for at most `withinMs`; `waiting` learns why it takes longer. The report is
 * still pending if there is no result by then.
 */
export async function reconcile(
  operation: Operation,
  withinMs: number,
  waiting: (why: string) => void,
  clock: Clock = systemClock,
): Promise<ReconcileReport> {
  const daemon = await clientOf(operation);
  const untilMs = clock.monotonicMs() + withinMs;
  let answer = await daemon.post(RECONCILE, { by: operator() });
  let told: string | null = null;
  while (answer.pending && clock.monotonicMs() < untilMs) {
    if (answer.why !== null && answer.why !== told) waiting(answer.why);
    told = answer.why;
    await sleep(clock, LOOK_EVERY_MS);
    answer = await daemon.get(RECONCILE);
  }
  return answer;
}

/**
 * Enters a deposit: through the daemon or, if there is none, in the journal for the next one. Rejects with TransportError if there
 * is neither, or if a process holds the journal and does not answer.
 */
export async function deposit(operation: Operation, wish: DepositWish): Promise<'daemon' | 'journal'> {
  try {
    await (await clientOf(operation)).post(DEPOSIT, { ...wish, by: operator() });
    return 'daemon';
  } catch (error) {
    if (!(error instanceof TransportError) || holderIn(error) !== null) throw error;
    const config = await operation.config();
    if (config.journal.path === '') throw error;
    depositOffline(config, wish);
    return 'journal';
  }
}

/** Throws ConfigError if there is no journal or if it is of another mode, and JournalError if it is damaged or cannot be written. */
export function depositOffline(
  config: Pick<Config, 'mode' | 'journal'>,
  { amountUsdt, note }: DepositWish,
  clock: Clock = systemClock,
): void {
  const { path } = config.journal;
  mustExist(path);
  const held = openForCommand(path, clock);
  try {
    if (held.damage !== null) throw held.damage;
    mustBeOfMode(held.journal, config);
    const by = operator();
    const atMs = Math.round(clock.wallMs());
    new MoneyRecords(held.journal).deposited({
      id: randomIds.uuid(),
      atMs,
      amountMicros: toMicros(amountUsdt),
      note,
      by,
    });
    const data = { command: `deposit ${amountUsdt}`, by, reason: note };
    held.journal.append([{ kind: ADMIN_COMMAND, uuid: null, data }]);
  } finally {
    held.release();
  }
}

/** An amount of a deposit as a person writes it. Throws TouchlineError `usage`. */
export function depositAmount(text: string): number {
  const amount = Number(text);
  const isAmount = /^[-+]?\d+(\.\d{1,6})?$/.test(text) && amount !== 0 && Math.abs(amount) <= 1e9;
  if (!isAmount)
    throw new TouchlineError(
      'usage',
      `${text}: expected an amount in USDT that is not 0, such as 250 or -99.5`,
    );
  return amount;
}
