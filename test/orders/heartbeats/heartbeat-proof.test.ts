import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TransportError } from '../../../src/domain/errors.ts';
import type { Heartbeat } from '../../../src/domain/orders.ts';
import { sleep } from '../../../src/ports/clock.ts';
import type { CallOptions } from '../../../src/ports/venue.ts';
import { quote, TestDesk } from '../../support/order-desk.ts';

const TIMEOUT_S = 30;
/** So much has to be proven when a create leaves. */
const RESERVE_MS = 12_000;

/** What becomes of a request for the heartbeat: its answer comes so late, or never. */
type Fate = { readonly answerMs: number } | 'lost';

interface Answered {
  readonly sentMs: number;
  readonly answeredMs: number;
}

/** A desk whose requests for its heartbeat have these fates, one after the other, and fail then; `answered` are the others. */
function deskWith(fates: readonly Fate[]) {
  const desk = new TestDesk({ options: { heartbeat: { timeoutS: TIMEOUT_S }, toleranceAwayTicks: 0 } });
  const answered: Answered[] = [];
  const left = [...fates];
  const { venue, clock } = desk;
  const fated = async (send: (options: CallOptions) => Promise<Heartbeat>, options: CallOptions = {}) => {
    const fate = left.shift() ?? 'lost';
    let sentMs = NaN;
    const beforeSend = (): void => {
      options.beforeSend?.();
      sentMs = clock.monotonicMs();
    };
    const heartbeat = await send({ ...options, beforeSend });
    if (fate === 'lost') throw new TransportError('unknown', 'no answer');
    await sleep(clock, fate.answerMs);
    answered.push({ sentMs, answeredMs: clock.monotonicMs() });
    return heartbeat;
  };
  const [create, refresh] = [venue.createHeartbeat.bind(venue), venue.refreshHeartbeat.bind(venue)];
  venue.createHeartbeat = (timeoutS, options) => fated((given) => create(timeoutS, given), options);
  venue.refreshHeartbeat = (id, options) => fated((given) => refresh(id, given), options);
  return { desk, answered };
}

/** Another price every 100 ms, so that orders are placed for as long as they may be. */
async function quoteFor(desk: TestDesk, ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += 100) {
    desk.desire(quote({ tick: 110 + ((passedMs / 100) % 40) }));
    await desk.advance(100);
  }
}

/** By how much the proof at a create exceeded the reserve, at least. */
function leastMargin(desk: TestDesk, answered: readonly Answered[]): number {
  const creates = desk.venue.calls.filter(({ method }) => method === 'placeOrder');
  const margins = creates.map(({ atMs }) => {
    const proofs = answered.filter(({ answeredMs }) => answeredMs <= atMs).map(({ sentMs }) => sentMs);
    return Math.max(...proofs) + TIMEOUT_S * 1_000 - RESERVE_MS - atMs;
  });
  return Math.min(...margins);
}

it('counts the proven time from the instant at which the request left, however late its answer is', async () => {
  const { desk, answered } = deskWith([{ answerMs: 10 }, { answerMs: 5_000 }]);
  await desk.start();
  await quoteFor(desk, 40_000);
  const last = desk.venue.calls.findLast(({ method }) => method === 'placeOrder');
  expect(answered).toHaveLength(2);
  const untilMs = (answered[1]?.sentMs ?? NaN) + TIMEOUT_S * 1_000 - RESERVE_MS;
  expect(last?.atMs).toBeGreaterThan(untilMs - 1_000);
  expect(leastMargin(desk, answered)).toBeGreaterThan(0);
});

it('places nothing on less than the reserve, whatever becomes of its requests', async () => {
  const fate = fc.oneof(
    fc.integer({ min: 0, max: 9_000 }).map((answerMs): Fate => ({ answerMs })),
    fc.constant<Fate>('lost'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fate, { maxLength: 8 }), async (fates) => {
      const { desk, answered } = deskWith([{ answerMs: 10 }, ...fates]);
      await desk.start();
      await quoteFor(desk, 45_000);
      expect(leastMargin(desk, answered)).toBeGreaterThan(0);
      expect(desk.fatals).toEqual([]);
      desk.kill();
    }),
    { numRuns: 30 },
  );
});
