import type { KeptRisk } from '../../engine/risk-inputs/kept-risk.ts';
import type { Core } from '../../engine/core.ts';
import { WATCHDOG } from '../../engine/strategy-latch.ts';
import type { Logger } from '../../ports/logger.ts';
import type { SmallFile } from '../../ports/small-file.ts';
import { type FoundHang, foundHang, hangInWords } from './hang-file.ts';

/**
 * Latches off the strategy that hung in the run before. Call it before any strategy is called. The file is removed once the
 * journal holds the latch.
 */
export function latchHang(
  file: SmallFile,
  core: Pick<Core, 'strategies' | 'apply'>,
  kept: Pick<KeptRisk, 'save'>,
  logger: Logger,
): void {
  const found = foundHang(file);
  if (found === null) return;
  for (const { strategy, why } of latchesOf(found, core.strategies.names)) {
    logger.error(`the strategy ${strategy} is off since an earlier run; only a person resumes`, { why });
    core.apply({ kind: 'latch_strategy', strategy, by: WATCHDOG, why });
  }
  if (!kept.save()) return;
  try {
    file.remove();
  } catch (error) {
    logger.error('the record of the hang cannot be removed: each start latches the strategy off again', {
      error,
    });
  }
}

/** A strategy to latch off. */
export interface HangLatch {
  readonly strategy: string;
  readonly why: string;
}

/** An unreadable record may mean each of the strategies. */
export function latchesOf(found: FoundHang, strategies: readonly string[]): readonly HangLatch[] {
  if (found !== 'unreadable') return [{ strategy: found.strategy, why: hangInWords(found) }];
  return strategies.map((strategy) => ({ strategy, why: 'the record of a hang cannot be read' }));
}
