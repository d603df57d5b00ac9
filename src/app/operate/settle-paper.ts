import { z } from 'zod';
import { ConfigError, HistoryError, TransportError } from '../../domain/errors.ts';
import type { EventName } from '../../domain/events.ts';
import type { DescribedEvent } from '../../history/history.ts';
import { toldInWords } from '../../domain/bet-types/result.ts';
import type { Clock } from '../../ports/clock.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { ADMIN_COMMAND } from '../admin/audit.ts';
import type { Config } from '../config/load.ts';
import { mustExist } from '../journal/account-files.ts';
import { mustBeOfMode } from '../journal/journal-mode.ts';
import { openForCommand } from '../journal/open-journal.ts';
import { enterResult } from '../paper/paper-account.ts';
import type { PaperResultWish } from '../../ops/commands/controls.ts';
import { configuredHistory } from '../history/read-history.ts';
import { checkHasStarted } from '../paper/paper-results.ts';
import { clientOf, type Operation, operator } from './daemon.ts';
import { holderIn } from './holder.ts';

const settled = z.object({ settles: z.array(z.string()) });

const SETTLE = {
  path: '/paper/settle',
  shape: (body: unknown): body is z.infer<typeof settled> => settled.safeParse(body).success,
};

/** Where a result was entered, and the bet types that it settles. */
export interface EnteredResult {
  readonly by: 'daemon' | 'journal';
  readonly betTypes: readonly string[];
}

/**
 * Tells a paper account the result of an event: through the daemon, which settles at once, or if there is none in the journal for the next one.
 * Rejects with TransportError if there is neither, or if a process holds the journal and does not answer, with TouchlineError `refused` if the
 * daemon refuses it, and as `settlePaperOffline`.
 */
export async function settlePaper(operation: Operation, wish: PaperResultWish): Promise<EnteredResult> {
  try {
    const { settles } = await (await clientOf(operation)).post(SETTLE, { ...wish, by: operator() });
    return { by: 'daemon', betTypes: settles };
  } catch (error) {
    if (!(error instanceof TransportError) || holderIn(error) !== null) throw error;
    const config = await operation.config();
    if (config.journal.path === '') throw error;
    return { by: 'journal', betTypes: settlePaperOffline(config, wish) };
  }
}

/**
 * Writes the result of an event into the journal of a paper account that no daemon holds. Its next run settles by it. Returns the bet
 * types that it settles. Throws TouchlineError `usage` for an event without paper bets, for one that has not started by the history beside the
 * journal, and for a result that does not decide the bets, `locked` while a daemon runs, ConfigError for a journal of another mode, and JournalError for one that is damaged.
 */
export function settlePaperOffline(
  config: Pick<Config, 'mode' | 'journal'>,
  { note, beforeStart = false, ...result }: PaperResultWish,
  clock: Clock = systemClock,
): readonly string[] {
  const { path } = config.journal;
  if (config.mode !== 'paper')
    throw new ConfigError(`mode = "${config.mode}": a person tells results of paper bets only`);
  mustExist(path);
  const held = openForCommand(path, clock);
  try {
    if (held.damage !== null) throw held.damage;
    mustBeOfMode(held.journal, config);
    if (!beforeStart) checkByHistory(config, result, clock.wallMs());
    const betTypes = enterResult(result, held.journal);
    const command = `paper settle ${result.sport}/${result.eventId} ${toldInWords(result.told)}`;
    const data = { command, by: operator(), reason: note };
    held.journal.append([{ kind: ADMIN_COMMAND, uuid: null, data }]);
    return betTypes;
  } finally {
    held.release();
  }
}

/** A history that is not there, or cannot be read, tells no start. */
function checkByHistory(
  config: Pick<Config, 'journal'>,
  result: Omit<PaperResultWish, 'note'>,
  nowMs: number,
): void {
  const about = describedIn(config, result);
  if (about !== null) checkHasStarted(result.told, about.title, about.startMs, nowMs);
}

function describedIn(config: Pick<Config, 'journal'>, event: EventName): DescribedEvent | null {
  try {
    const history = configuredHistory(config);
    try {
      return history.described(event);
    } finally {
      history.close();
    }
  } catch (error) {
    if (error instanceof ConfigError || error instanceof HistoryError) return null;
    throw error;
  }
}
