import { TERMINAL } from '../../lib/formats.ts';
import { plainText } from '../../lib/plain-text.ts';
import type { RunSummary } from '../../read-model/summary.ts';

/** The summary of a run, for people. */
export function renderSummary(summary: RunSummary): string[] {
  const fields = Object.entries(summary) as [string, RunSummary[keyof RunSummary]][];
  return [
    ...fields.map(([key, value]) => `${key.replaceAll('_', ' ').padEnd(30)} ${shownField(value)}`),
    ...stillHeld(summary),
  ];
}

/** The bets outlive the run. */
function stillHeld({ events_held: events, worst_case_of_held: worst }: RunSummary): string[] {
  if (events === 0) return [];
  const where = `${events} ${events === 1 ? 'event' : 'events'}`;
  return [
    `STILL HELD: the bets on ${where}, at worst ${TERMINAL.cents(worst)} USDT; they stand until they settle, also while no daemon runs`,
  ];
}

/** Errors as `mine: threw 3, slow 1`, paper fills as `touch: fills 3, stake_matched 30, profit_loss 1.5`. */
function shownField(value: RunSummary[keyof RunSummary]): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const parts = Object.entries(value) as [string, number | Readonly<Record<string, number>>][];
  const errors = parts.map(([strategy, kinds]) => {
    if (typeof kinds === 'number') return `${strategy} ${kinds}`;
    const counts = Object.entries(kinds).map(([kind, times]) => `${kind} ${times}`);
    return `${plainText(strategy)}: ${counts.join(', ')}`;
  });
  return errors.length === 0 ? 'none' : errors.join('; ');
}
