import { expect, it } from 'vitest';
import type { Score } from '../../../src/domain/events.ts';
import { sport } from '../../../src/domain/ids.ts';
import type { StreamEntry } from '../../../src/domain/stream.ts';
import { MarketWatch } from '../../../src/engine/risk-inputs/market-watch.ts';
import { createLedger } from '../../../src/ledger/index.ts';
import { EVENT, FB, HOME, rig, sportEvent } from '../../market/support.ts';
import { bench } from '../../risk/support/harness.ts';

const scores: readonly (readonly [name: string, score: Score])[] = [
  ['fb_corn', [5, 3]],
  ['fb', [1, 0]],
];

it('watches an event in the quoted sport, also while it is not quoted and other sports use its id', () => {
  const { clock, market, frame } = rig();
  const { risk } = bench();
  const watch = new MarketWatch(market, risk, createLedger(), clock);
  frame(
    scores.flatMap(([name, score]): StreamEntry[] => [
      { tag: 'event', event: sportEvent({ sport: sport(name) }) },
      { tag: 'event_score', sport: sport(name), eventId: EVENT, score },
    ]),
  );
  for (const quoted of [[], [HOME], [], [HOME]]) watch.see({ sport: FB, eventId: EVENT }, quoted);
  expect(risk.guards.active().map(({ guard }) => guard)).not.toContain('score_change');
});
