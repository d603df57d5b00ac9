import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventKey, type EventName } from '../../../src/domain/events.ts';
import { type BetId, eventId, type OrderId, sport } from '../../../src/domain/ids.ts';
import { profitLossByOwner } from '../../../src/engine/strategy-profit.ts';
import { createLedger } from '../../../src/ledger/index.ts';
import { ask, fillOf } from '../../risk/support/harness.ts';
import { report, settle } from '../../support/account.ts';

/** At this fair probability a bet of 10 for at 2.00 is worth 5. */
const FAIR = 0.75;
/** Two events with one id under two sports, and a third event. */
const EVENTS: readonly EventName[] = [
  { sport: sport('fb'), eventId: eventId('2026-11-21,1,2') },
  { sport: sport('fb_ht'), eventId: eventId('2026-11-21,1,2') },
  { sport: sport('fb'), eventId: eventId('2026-11-21,3,4') },
];

interface Bet {
  readonly event: number;
  /** In USDT; null while the event is not settled. */
  readonly result: number | null;
}

/** Books each bet under its own order. */
function ledgerWith(bets: readonly Bet[]) {
  const ledger = createLedger();
  for (const [at, { event, result }] of bets.entries()) {
    const name = EVENTS[event] as EventName;
    const order = ask({ sport: name.sport, event: name.eventId, betType: 'for,h', price: 2 });
    report(ledger, { ...fillOf(order, 10), betId: at as BetId, orderId: at as OrderId });
    if (result !== null) settle(ledger, { ...name, orderId: at as OrderId, profitLossMicros: result * 1e6 });
  }
  return ledger;
}

/** Only the first two strategies run. */
const ownersOf = (owners: readonly string[]) => ({
  names: ['one', 'two'],
  absentOwners: () => new Set(owners.filter((owner) => owner === 'old')),
  ownerOf: (event: EventName) =>
    owners[EVENTS.findIndex((each) => eventKey(each) === eventKey(event))] ?? 'one',
});

function shares(bets: readonly Bet[], owners: readonly string[]) {
  const ledger = ledgerWith(bets);
  const total = ledger.judgedMicros(() => FAIR, 0);
  return { total, byOwner: profitLossByOwner(total, ledger, ownersOf(owners)) };
}

describe('profit and loss by owner', () => {
  it('counts results and open bets of an event for its owner, sports with one id apart', () => {
    const bets = [
      { event: 0, result: -7 },
      { event: 1, result: 3 },
      { event: 2, result: null },
    ];
    const { byOwner } = shares(bets, ['two', 'old', 'one']);
    expect(Object.fromEntries(byOwner)).toEqual({ one: 5e6, two: -7e6, old: 3e6 });
  });

  it('gives what belongs to no event to the first strategy', () => {
    const ledger = createLedger();
    settle(ledger, {
      orderId: 9 as OrderId,
      sport: sport('fb'),
      eventId: eventId(''),
      profitLossMicros: -2e6,
    });
    const total = ledger.judgedMicros(() => FAIR, 0);
    expect(Object.fromEntries(profitLossByOwner(total, ledger, ownersOf([])))).toEqual({ one: -2e6, two: 0 });
  });

  it('adds up to the account, for any owners', () => {
    const bet = fc.record({ event: fc.nat(2), result: fc.option(fc.integer({ min: -20, max: 20 })) });
    const owner = fc.constantFrom('one', 'two', 'old');
    fc.assert(
      fc.property(fc.array(bet, { maxLength: 8 }), fc.tuple(owner, owner, owner), (bets, owners) => {
        const { total, byOwner } = shares(bets, owners);
        expect([...byOwner.values()].reduce((sum, micros) => sum + micros, 0)).toBe(total);
      }),
    );
  });
});
