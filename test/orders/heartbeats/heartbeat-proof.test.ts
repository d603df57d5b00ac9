import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TransportError } from '../../../src/domain/errors.ts';
import type { Heartbeat } from '../../../src/domain/orders.ts';
import { sleep } from '../../../src/ports/clock.ts';
import type { CallOptions } from '../../../src/ports/venue.ts';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

const TIMEOUT_S = 30;
/** The time that must be proven when a create leaves. */
const RESERVE_MS = 12_000;

/** The fate of a heartbeat request: its answer is late, or lost. */
type Fate = { readonly answerMs: number } | 'lost';

interface Answered {
  readonly sentMs: number;
  readonly answeredMs: number;
}

/**
 * A rig whose heartbeat requests meet these fates in order, and then fail. `answered` lists the answered
 * ones.
 */
function rigWith(fates: readonly Fate[]) {
  const rig = new OrderManagerRig({ options: { heartbeat: { timeoutS: TIMEOUT_S }, toleranceAwayTicks: 0 } });
  const answered: Answered[] = [];
  const left = [...fates];
  const { venue, clock } = rig;
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
  return { rig, answered };
}

/** Changes the price every 100 ms, so that orders are placed for as long as allowed. */
async function quoteFor(rig: OrderManagerRig, ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += 100) {
    rig.desire(quote({ tick: 110 + ((passedMs / 100) % 40) }));
    await rig.advance(100);
  }
}

/** The least margin of the proof over the reserve at any create. */
function leastMargin(rig: OrderManagerRig, answered: readonly Answered[]): number {
  const creates = rig.venue.calls.filter(({ method }) => method === 'placeOrder');
  const margins = creates.map(({ atMs }) => {
    const proofs = answered.filter(({ answeredMs }) => answeredMs <= atMs).map(({ sentMs }) => sentMs);
    return Math.max(...proofs) + TIMEOUT_S * 1_000 - RESERVE_MS - atMs;
  });
  return Math.min(...margins);
}

it('counts the proven time from the instant at which the request left, however late its answer is', async () => {
  const { rig, answered } = rigWith([{ answerMs: 10 }, { answerMs: 5_000 }]);
  await rig.start();
  await quoteFor(rig, 40_000);
  const last = rig.venue.calls.findLast(({ method }) => method === 'placeOrder');
  expect(answered).toHaveLength(2);
  const untilMs = (answered[1]?.sentMs ?? NaN) + TIMEOUT_S * 1_000 - RESERVE_MS;
  expect(last?.atMs).toBeGreaterThan(untilMs - 1_000);
  expect(leastMargin(rig, answered)).toBeGreaterThan(0);
});

it('places nothing on less than the reserve, whatever becomes of its requests', async () => {
  const fate = fc.oneof(
    fc.integer({ min: 0, max: 9_000 }).map((answerMs): Fate => ({ answerMs })),
    fc.constant<Fate>('lost'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fate, { maxLength: 8 }), async (fates) => {
      const { rig, answered } = rigWith([{ answerMs: 10 }, ...fates]);
      await rig.start();
      await quoteFor(rig, 45_000);
      expect(leastMargin(rig, answered)).toBeGreaterThan(0);
      expect(rig.fatals).toEqual([]);
      rig.kill();
    }),
    { numRuns: 30 },
  );
});
