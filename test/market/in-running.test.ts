import { describe, expect, it } from 'vitest';
import { eventId } from '../../src/domain/ids.ts';
import type { StreamEntry } from '../../src/domain/stream.ts';
import { AGAINST, eventEntry, FIXTURE, FOR, offerEntry, quoteEntry, rig } from './support.ts';

const running = { inRunning: true };

it('drops an in-running offer once later offers omit it', async () => {
  const { clock, market, frame } = rig();
  frame([eventEntry(), offerEntry('for,h', FOR, running), offerEntry('against,h', AGAINST, running)]);
  expect(market.event(FIXTURE)?.inRunning).toBe(true);
  await clock.advance(3_000);
  frame([offerEntry('for,h', FOR)]);
  expect(market.event(FIXTURE)?.inRunning).toBe(true);
  await clock.advance(2_000);
  frame([offerEntry('for,h', FOR)]);
  expect(market.event(FIXTURE)?.inRunning).toBe(false);
});

it('believes no offer of an earlier connection that the event is in running', () => {
  const { market, frame } = rig();
  frame([eventEntry(), offerEntry('for,h', FOR, running), offerEntry('against,h', AGAINST, running)]);
  frame([eventEntry(), offerEntry('for,h', FOR)], 2);
  expect(market.event(FIXTURE)?.inRunning).toBe(false);
});

describe('the age of a score', () => {
  const score = (now: readonly [number, number] | null): StreamEntry => ({
    tag: 'event_score',
    ...FIXTURE,
    score: now,
  });
  const OTHER = { ...FIXTURE, eventId: eventId('2026-11-21,30,40') };

  it.each<readonly [what: string, ageMs: number | null, entries: readonly StreamEntry[]]>([
    ['nothing', 7_000, []],
    ['the same score', 2_000, [score([1, 0])]],
    ['another score', 2_000, [score([1, 1])]],
    ['a score that is not known', null, [score(null)]],
    ['red cards', 2_000, [{ tag: 'event_red_cards', ...FIXTURE, redCards: [0, 1] }]],
    [
      'the clock of the match',
      2_000,
      [{ tag: 'event_time', ...FIXTURE, time: { period: '1h', minutes: 3 } }],
    ],
    ['the live state of another event', 7_000, [{ tag: 'event_score', ...OTHER, score: [1, 0] }]],
    ['a description of the event', 7_000, [eventEntry({ irStatus: 'in_running' })]],
    ['offers', 7_000, [offerEntry('for,h', AGAINST), offerEntry('against,h', FOR)]],
    ['a private quote', 7_000, [quoteEntry('for,h', FOR)]],
  ])('counts from the last live state of its event: %s after 5 s', async (_, ageMs, entries) => {
    const { clock, market, frame } = rig();
    frame([eventEntry(), offerEntry('for,h', FOR), score([1, 0])]);
    await clock.advance(5_000);
    frame(entries);
    await clock.advance(2_000);
    expect(market.event(FIXTURE)?.scoreAgeMs).toBe(ageMs);
  });

  it('is none on a new connection until a score comes there', async () => {
    const { clock, market, frame } = rig();
    frame([eventEntry(), score([1, 0])]);
    frame([eventEntry(), { tag: 'event_time', ...FIXTURE, time: { period: '1h', minutes: 3 } }], 2);
    expect(market.event(FIXTURE)).toMatchObject({ score: null, scoreAgeMs: null });
    frame([score([1, 0])], 2);
    await clock.advance(1_000);
    expect(market.event(FIXTURE)).toMatchObject({ score: [1, 0], scoreAgeMs: 1_000 });
  });
});
