import { expect, it } from 'vitest';
import type { InspectedAccount } from '../../src/simulator/core/api.ts';
import type { OwnOrder } from './exchange-orders.ts';
import { Orphans } from './orphans.ts';
import type { World } from './world.ts';

const closed = { orderId: 1, requestUuid: 'u1', closedBy: 'heartbeat' } as OwnOrder;
const holding = (...ids: string[]): InspectedAccount =>
  ({ heartbeats: ids.map((heartbeatId) => ({ heartbeatId, expiryMs: 0 })) }) as unknown as InspectedAccount;

/** A run to which answers have reported these heartbeats in order, and whose proof lasts this long. */
function worldOf(
  reported: readonly string[],
  provenMs: number,
  sentBody = '{"request_uuid":"u1"}',
  fromMs = -1_000,
): World {
  const heartbeats = new Map(reported.map((id, at) => [id, fromMs + 100 * at]));
  const witness = { provenUntilMs: provenMs, sent: [{ what: 'POST /v2/orders/', body: sentBody }] };
  return {
    run: { received: { heartbeats }, witness },
    clock: { monotonicMs: () => 0 },
    startMs: 0,
  } as unknown as World;
}

function ending(world: World): readonly OwnOrder[] {
  const orphans = new Orphans();
  orphans.closed(world, [], holding('old', 'own'));
  return orphans.closed(world, [closed], holding('own'));
}

it('blames a run whose order is closed by a heartbeat that an answer had reported', () => {
  expect(ending(worldOf(['old', 'own'], 9_000))).toEqual([closed]);
});

it('blames nobody for a heartbeat that no answer reported', () => {
  expect(ending(worldOf(['own'], 9_000))).toEqual([]);
});

it('blames no run whose own heartbeat may have ended', () => {
  expect(ending(worldOf(['old', 'own'], 1_000))).toEqual([]);
});

it('lets a heartbeat of an earlier run close what that run had left', () => {
  expect(ending(worldOf(['old', 'own'], 9_000, '{"request_uuid":"u2"}'))).toEqual([]);
});

it('lets a heartbeat that expired before the next was armed close its orders a moment later', () => {
  expect(ending(worldOf(['older', 'old', 'own'], 9_000, undefined, -200))).toEqual([]);
  expect(ending(worldOf(['older', 'old', 'own'], 9_000, undefined, -201))).toEqual([closed]);
});
