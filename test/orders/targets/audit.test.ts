import { expect, it } from 'vitest';
import type { EventKey } from '../../../src/domain/ids.ts';
import type { IntentKey } from '../../../src/domain/quote-intent.ts';
import { blockedBy, type Obstacle, type WaitCode } from '../../../src/orders/send-gate.ts';
import { WakeAudit } from '../../../src/orders/targets/audit.ts';
import type { BlockedQuote } from '../../../src/orders/targets/blocked.ts';
import { quote } from '../../support/order-manager-rig.ts';

const blocked = (code: WaitCode): BlockedQuote => ({
  key: 'a#for#0' as IntentKey,
  event: 'an event' as EventKey,
  intent: quote(),
  code,
});

/** Looks every `everyMs` for `forMs`, while the quote's judgement is `now`. Returns when the wake was missed. */
function missedAfter(
  was: BlockedQuote,
  now: Obstacle | null,
  everyMs: number,
  forMs = 10_000,
): number | null {
  const audit = new WakeAudit(0);
  for (let nowMs = 0; nowMs <= forMs; nowMs += everyMs)
    if (audit.missed([was], () => now, nowMs).length > 0) return nowMs;
  return null;
}

it('finds a quote that nothing blocks any more, or only a later check, and that nothing woke', () => {
  expect(missedAfter(blocked('would_take'), null, 100)).toBe(1_500);
  expect(missedAfter(blocked('quote_pending'), blockedBy('would_take'), 100)).toBe(1_500);
});

it('finds none that the same check still blocks, or an earlier one', () => {
  expect(missedAfter(blocked('would_take'), blockedBy('would_take'), 100)).toBeNull();
  expect(missedAfter(blocked('would_take'), blockedBy('stopped'), 100)).toBeNull();
  expect(missedAfter(blocked('risk'), blockedBy('backing_off'), 100)).toBeNull();
});

it('does not count the time in which the loop hung', () => {
  expect(missedAfter(blocked('would_take'), null, 60_000, 120_000)).toBeNull();
  expect(missedAfter(blocked('would_take'), null, 60_000, 300_000)).toBe(180_000);
});

it('forgets a quote that was judged meanwhile', () => {
  const audit = new WakeAudit(0);
  for (let nowMs = 0; nowMs < 60_000; nowMs += 1_000)
    expect(audit.missed([blocked('would_take')], () => null, nowMs)).toEqual([]);
});

it('looks rarely, but soon again at one that it suspects', () => {
  const audit = new WakeAudit(5_000);
  audit.missed([], () => null, 0);
  expect([audit.isDue(4_999), audit.isDue(5_000)]).toEqual([false, true]);
  audit.missed([blocked('would_take')], () => null, 5_000);
  expect([audit.isDue(5_499), audit.isDue(5_500)]).toEqual([false, true]);
});
