import { expect, it } from 'vitest';
import { PRICE_TIME } from '../../../src/fills/price-time.ts';
import { seededRandom } from '../../../src/lib/random.ts';
import { RecordedEvent } from '../../../src/research/full/recorded-event.ts';
import { limitsWith } from '../../risk/support/harness.ts';
import { open, suspended, TAPE_START_MS, tapeOf } from '../../support/tapes.ts';

it('the facts of a selection are those at an instant: a gap is from its beginning until before its end', () => {
  const tape = tapeOf(
    [
      [0, 'state', open],
      [0, 'for', 2.5, 10, 0],
      [5_000, 'state', suspended, 3_000, 1],
      [10_000, 'trade for', 2.5, 4, 0],
      [60_000, 'for', 2.5, 5, 0],
    ],
    {
      selections: [{ outcome: 'h' }, { outcome: 'odd', market: 1 }],
      markets: [{}, {}],
      gaps: [
        [20_000, 30_000, 0],
        [40_000, 50_000],
      ],
    },
  );
  const window = [-Infinity, Infinity] as const;
  const event = new RecordedEvent({
    tape,
    model: PRICE_TIME,
    limits: limitsWith({}),
    window,
    random: seededRandom(1, 'event'),
  });
  const found = [0, 4_999, 5_000, 9_999, 10_000, 19_999, 20_000, 29_999, 30_000, 40_000, 50_000].map((ms) => {
    const [first, second] = ['h', 'odd'].map((outcome) => event.factsOf(outcome, TAPE_START_MS + ms));
    return [ms, first?.suspension, first?.lastTraded, second?.suspension, second?.betDelayMs];
  });
  expect(found).toEqual([
    [0, 'none', null, 'none', null],
    [4_999, 'none', null, 'none', null],
    [5_000, 'none', null, 'exchange', 3_000],
    [9_999, 'none', null, 'exchange', 3_000],
    [10_000, 'none', 2.5, 'exchange', 3_000],
    [19_999, 'none', 2.5, 'exchange', 3_000],
    [20_000, 'gap', 2.5, 'exchange', 3_000],
    [29_999, 'gap', 2.5, 'exchange', 3_000],
    [30_000, 'none', 2.5, 'exchange', 3_000],
    [40_000, 'gap', 2.5, 'gap', 3_000],
    [50_000, 'none', 2.5, 'exchange', 3_000],
  ]);
  expect(event.factsOf('nothing', TAPE_START_MS)).toBeNull();
});
