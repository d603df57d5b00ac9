import { describe, expect, it } from 'vitest';
import type { EventId, SelectionId, Sport } from '../../../src/domain/ids.ts';
import type { IntentKey, QuoteIntent } from '../../../src/domain/quote-intent.ts';
import { blockedBy, REASONS, type WaitCode } from '../../../src/orders/send-gate.ts';
import type { OrderContext } from '../../../src/orders/state/context.ts';
import { BlockedQuotes } from '../../../src/orders/targets/blocked.ts';
import type { AccountProof } from '../../../src/orders/targets/gate-facts.ts';
import type { StrategyTurns } from '../../../src/orders/targets/strategy-turns.ts';
import type { Targets } from '../../../src/orders/targets/targets.ts';

const CODES = Object.keys(REASONS) as readonly WaitCode[];
const EVENT = { sport: 'fb' as Sport, eventId: '2026-11-21,10,20' as EventId };
const MARKET = { ...EVENT, betType: 'for,h' } as unknown as Parameters<BlockedQuotes['add']>[2];
const intent = {
  selectionId: 'fb|2026-11-21,10,20|h' as SelectionId,
  direction: 'for',
  level: 0,
  tick: 120,
  stakeMicros: 1e6,
} as QuoteIntent;

/** A quote for each code, blocked by it, whose names are the codes. */
function rig() {
  const clock = { nowMs: 0, monotonicMs: () => clock.nowMs };
  const halts = { inForce: new Map() };
  const proof = { isConfirmed: true, provenUntilMs: 100, reserveMs: 10 };
  const turns = { revision: 0, inFlight: 0 };
  const targets = { contendersRevision: 0, waits: () => undefined, served: () => undefined };
  const blocked = new BlockedQuotes(
    { deps: { clock }, halts, options: { maxInFlight: 4 } } as unknown as OrderContext,
    { heartbeat: { proof } } as unknown as AccountProof,
    turns as unknown as StrategyTurns,
    targets as unknown as Targets,
  );
  for (const code of CODES)
    blocked.add({ key: code as string as IntentKey, intent }, blockedBy(code), MARKET, 500);
  blocked.take();
  return { clock, halts, proof, turns, targets, blocked };
}

const waitingFor = (source: (typeof REASONS)[WaitCode]['waitsFor'][number]): readonly WaitCode[] =>
  CODES.filter((code) => REASONS[code].waitsFor.includes(source));

type Rig = ReturnType<typeof rig>;

describe('a blocked quote is judged again', () => {
  it.each<[string, (given: Rig) => void, readonly WaitCode[]]>([
    ['if a halt is set or lifted', ({ halts }) => (halts.inForce = new Map()), waitingFor('halt')],
    ['if the heartbeat is confirmed', ({ proof }) => (proof.isConfirmed = false), waitingFor('heartbeat')],
    ['if the heartbeat holds for longer', ({ proof }) => (proof.provenUntilMs += 1), waitingFor('heartbeat')],
    [
      'if the reserve of the heartbeat changes',
      ({ proof }) => (proof.reserveMs += 1),
      waitingFor('heartbeat'),
    ],
    ['if a create begins or ends', ({ turns }) => turns.revision++, waitingFor('creates')],
    ['if another strategy waits', ({ targets }) => targets.contendersRevision++, waitingFor('creates')],
    ['if an order of its event changes', ({ blocked }) => blocked.orderChanged(EVENT), waitingFor('order')],
    [
      'if the betslip of its market changes',
      ({ blocked }) => blocked.betslipChanged('2026-11-21,10,20|fb|for,h'),
      waitingFor('betslip'),
    ],
    ['if its time has come', ({ clock }) => (clock.nowMs = 500), waitingFor('time')],
    ['not before its time', ({ clock }) => (clock.nowMs = 499), []],
    [
      'not if an order of another event changes',
      ({ blocked }) => blocked.orderChanged({ ...EVENT, sport: 'tennis' as Sport }),
      [],
    ],
    [
      'not if the betslip of another market changes',
      ({ blocked }) => blocked.betslipChanged('2026-11-21,10,20|fb|for,a'),
      [],
    ],
    ['not if nothing changes', () => undefined, []],
    ['if everything may have changed', ({ blocked }) => blocked.wakeAll(), CODES],
  ])('%s', (_, change, codes) => {
    const given = rig();
    change(given);
    expect([...given.blocked.take()].sort()).toEqual([...codes].sort());
    given.clock.nowMs = 0;
    expect(waitingFor('creates').length).toBeGreaterThan(1);
  });

  it.each([
    [3, true],
    [4, false],
    [5, false],
  ])('while %i of at most 4 creates are in flight, those that the limit blocks are: %s', (inFlight, are) => {
    const { turns, blocked } = rig();
    Object.assign(turns, { inFlight, revision: 1 });
    const expected = waitingFor('creates').filter((code) => are || code !== 'in_flight_limit');
    expect([...blocked.take()].sort()).toEqual([...expected].sort());
  });

  it('once for each change', () => {
    const { turns, blocked } = rig();
    turns.revision = 1;
    expect(blocked.take()).not.toEqual([]);
    expect(blocked.take()).toEqual([]);
  });

  it('no more once it has an order or is not wanted', () => {
    const { blocked, clock } = rig();
    blocked.wakeAll();
    for (const code of CODES) blocked.delete(code as string as IntentKey);
    expect(blocked.take()).toEqual([]);
    clock.nowMs = 1_000;
    blocked.orderChanged(EVENT);
    expect([blocked.take(), [...blocked.all()]]).toEqual([[], []]);
  });
});
