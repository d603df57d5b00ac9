import type { AdjustmentRecord } from '../../engine/adjustments.ts';
import type { LiveAdjustment } from './message.ts';

/** What a person wants of an event, for people and programs. */
export function shownAdjustment(record: AdjustmentRecord): LiveAdjustment {
  const { what, by, why, atMs } = record;
  const untilMs = record.untilMs === null ? null : Math.round(record.untilMs);
  return { what, amount: amountOf(record), by, why, sinceMs: Math.round(atMs), untilMs };
}

function amountOf(record: AdjustmentRecord): number {
  if (record.what === 'stake') return record.factor;
  return record.what === 'widen' ? record.ticks : 1;
}
