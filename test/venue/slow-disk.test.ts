import { describe, expect, it, vi } from 'vitest';
import { sleep } from '../../src/ports/clock.ts';
import { json, ok } from './support/fake-transports.ts';
import { makeRig, type Rig } from './support/make-venue.ts';
import { EVENT, FB, FOR_HOME, placeOrder, wireOrder } from './support/samples.ts';

/** The first record of each request takes this long to be written. Nothing else happens meanwhile. */
function slowFirst({ clock }: Rig, ms: number): () => void {
  const monotonicMs = clock.monotonicMs.bind(clock);
  let lateMs = 0;
  vi.spyOn(clock, 'monotonicMs').mockImplementation(() => monotonicMs() + lateMs);
  return () => void (lateMs = ms);
}

it('stays within the orders of a second when the request is slow to be journalled', async () => {
  const rig = makeRig(() => ok(wireOrder()));
  await rig.clock.advance(10_000);
  const beforeSend = slowFirst(rig, 3_000);
  const place = (): void =>
    void rig.venue.placeOrder(placeOrder(), { priority: 'reducing', beforeSend }).catch(() => undefined);
  for (let i = 0; i < 4; i++) place();
  await rig.clock.advance(0);
  for (let i = 0; i < 4; i++) place();
  await rig.clock.advance(0);
  expect(rig.http.requests.length).toBeLessThanOrEqual(5);
  await rig.clock.advance(2_000);
  expect(rig.http.requests).toHaveLength(8);
});

it('stays within the betslips of a second, too', async () => {
  const rig = makeRig(() => json(500, { status: 'error', code: 'server_error', data: null }));
  await rig.clock.advance(10_000);
  const beforeSend = slowFirst(rig, 3_000);
  const market = { sport: FB, eventId: EVENT, betType: FOR_HOME };
  for (let i = 0; i < 24; i++) void rig.venue.createBetslip(market, { beforeSend }).catch(() => undefined);
  await rig.clock.advance(0);
  expect(rig.http.requests.length).toBeLessThanOrEqual(10);
});

describe('a wait for connections', () => {
  /** No connection exists for three seconds. `left` lists when requests left, counted from then. */
  async function connecting(): Promise<{ readonly rig: Rig; readonly left: () => number[] }> {
    const leftMs: number[] = [];
    const rig = makeRig(async ({ whenConnected }) => {
      await sleep(rig.clock, Math.max(0, connectedMs - rig.clock.monotonicMs()));
      leftMs.push(rig.clock.monotonicMs() - connectedMs);
      whenConnected?.();
      return json(500, { status: 'error', code: 'server_error', data: null });
    });
    Object.assign(rig.http, { waitsForConnections: true });
    await rig.clock.advance(10_000);
    const connectedMs = rig.clock.monotonicMs() + 3_000;
    return { rig, left: () => leftMs };
  }

  it('keeps requests within the orders of a second', async () => {
    const { rig, left } = await connecting();
    for (let i = 0; i < 12; i++)
      void rig.venue.placeOrder(placeOrder(), { priority: 'reducing' }).catch(() => undefined);
    await rig.clock.advance(6_000);
    expect(left()).toHaveLength(12);
    for (const from of left())
      expect(left().filter((atMs) => atMs >= from && atMs < from + 200).length).toBeLessThanOrEqual(5);
  });

  it('keeps requests within the betslips of a second, too', async () => {
    const { rig, left } = await connecting();
    const market = { sport: FB, eventId: EVENT, betType: FOR_HOME };
    for (let i = 0; i < 24; i++)
      void rig.venue.createBetslip(market, { once: true, priority: 'reducing' }).catch(() => undefined);
    await rig.clock.advance(6_000);
    expect(left()).toHaveLength(24);
    expect(left().filter((atMs) => atMs < 100).length).toBeLessThanOrEqual(10);
  });
});
