import { JournalError } from '../../domain/errors.ts';
import { isTerminal } from '../../domain/lifecycle.ts';
import { foldJournal } from '../../orders/journal/checkpoint.ts';
import type { Fact } from '../../orders/journal/records.ts';
import type { Journal } from '../../ports/journal.ts';
import type { PreviousRun } from '../../read-model/status.ts';
import { rememberedLimits } from './limits-memory.ts';

/** A run that wrote one of these after the last record of limits did not end in order. */
const AT_WORK: ReadonlySet<string> = new Set<Fact['kind']>(['run_started', 'order_intended']);

/**
 * How the run before this one ended, and what it left open. Call it before this run writes anything. Null if the journal cannot be
 * read.
 */
export function previousRun(journal: Journal): PreviousRun | null {
  try {
    return readPreviousRun(journal);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return null;
  }
}

function readPreviousRun(journal: Journal): PreviousRun {
  const { runs, orders, lastAtMs } = foldJournal(journal);
  if (runs === 0) return { epoch: 0, endedAtMs: null, how: 'none', ordersLeft: 0 };
  const last = rememberedLimits(journal);
  const isClean = last !== null && last.ended && isOver(journal, last.seq);
  return {
    epoch: runs,
    endedAtMs: isClean ? last.atMs : lastAtMs,
    how: isClean ? 'clean' : 'not clean',
    ordersLeft: [...orders.values()].filter(({ state }) => !isTerminal(state)).length,
  };
}

/** Whether no run worked after this record. Commands may have written to the journal since. */
function isOver(journal: Journal, seq: number): boolean {
  for (const { kind } of journal.read(seq)) if (AT_WORK.has(kind)) return false;
  return true;
}
